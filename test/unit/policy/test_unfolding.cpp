#include "suites.hpp"
Suite *unfolding_suite() {
    return suite_create("unfolding");
}
