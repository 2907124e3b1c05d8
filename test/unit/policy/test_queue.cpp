#include "suites.hpp"
Suite *queue_suite() {
    return suite_create("queue");
}
