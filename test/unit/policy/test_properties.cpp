#include "suites.hpp"
Suite *properties_suite() {
    return suite_create("properties");
}
