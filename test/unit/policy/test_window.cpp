#include "suites.hpp"
Suite *window_suite() {
    return suite_create("window");
}
