#include "suites.hpp"
Suite *nonsense_suite() {
    return suite_create("nonsense");
}
