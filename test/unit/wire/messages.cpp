// SPDX-License-Identifier: GPL-2.0-or-later
//
// Targets and answers: what is accepted and what is not, field by field.
#include "wire/messages.hpp"

#include "expect.hpp"
#include "wire/seal.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

using namespace vmall::wire;
using nlohmann::json;

namespace {

Target some_target() {
    return {"n1", 42, 1000, {0, 1, 7}, 4, 99};
}
Answer some_answer() {
    return {"n1",  42,  Outcome::applied, 99, "", RankReport{8, 5, 4000000000000, 3, 2, 1, 6},
            false, 1700};
}

// A valid message in which one field is another JSON text, or is missing.
struct Change {
    const char *name;
    const char *field;
    const char *value; // nullptr: missing
    const char *error; // nullptr: accepted
};

std::string changed(const std::string &message, const char *kind, const Change &change) {
    json edited = json::parse(message);
    if (change.value)
        edited[kind][change.field] = json::parse(change.value);
    else
        edited[kind].erase(change.field);
    return edited.dump();
}

template <typename Decode>
void expect(Decode decode, const std::string &message, const Change &change) {
    const std::string error = error_of<MessageError>([&] { decode(message); });
    expect_part(error, change.error ? change.error : "nothing was thrown", change.name);
}

constexpr Change target_changes[] = {
    {"unknown field is ignored", "colour", "\"red\"", nullptr},
    {"only served", "only_served", "true", nullptr},
    {"only served as a number", "only_served", "1", "\"only_served\" is neither true nor false"},
    {"no node", "node", nullptr, "target: \"node\" is missing"},
    {"no job", "job_id", nullptr, "target: \"job_id\" is missing"},
    {"no user", "user_id", nullptr, "target: \"user_id\" is missing"},
    {"no cores", "cores", nullptr, "target: \"cores\" is missing"},
    {"no mpl", "mpl", nullptr, "target: \"mpl\" is missing"},
    {"no generation", "generation", nullptr, "target: \"generation\" is missing"},
    {"node is a number", "node", "1", "\"node\" is not a string"},
    {"node is null", "node", "null", "\"node\" is not a string"},
    {"node is empty", "node", "\"\"", "\"node\" is not 1 to 255 bytes"},
    {"node has a newline", "node", "\"n\\n1\"", "\"node\" has characters"},
    {"node has an escape", "node", "\"n\\u001b1\"", "\"node\" has characters"},
    {"node is not ASCII", "node", "\"n\\u00e4\"", "\"node\" has characters"},
    {"job 0", "job_id", "0", "\"job_id\" is 0"},
    {"lowest job", "job_id", "1", nullptr},
    {"highest job", "job_id", "4294967293", nullptr},
    {"job NO_VAL", "job_id", "4294967294", "\"job_id\" is 4294967294"},
    {"job beyond 32 bits", "job_id", "4294967338", "\"job_id\" is 4294967338"},
    {"negative job", "job_id", "-42", "\"job_id\" is not a whole number"},
    {"job with a fraction", "job_id", "42.5", "\"job_id\" is not a whole number"},
    {"job as a float", "job_id", "42.0", "\"job_id\" is not a whole number"},
    {"job as a string", "job_id", "\"42\"", "\"job_id\" is not a whole number"},
    {"job true", "job_id", "true", "\"job_id\" is not a whole number"},
    {"root's job", "user_id", "0", nullptr},
    {"negative user", "user_id", "-1", "\"user_id\" is not a whole number"},
    {"user NO_VAL", "user_id", "4294967294", "\"user_id\" is 4294967294"},
    {"cores as a number", "cores", "3", "\"cores\" is not a list"},
    {"cores as a range", "cores", "\"0-3\"", "\"cores\" is not a list"},
    {"cores empty", "cores", "[]", "\"cores\" is empty"},
    {"one core", "cores", "[5]", nullptr},
    {"cores repeat", "cores", "[1,1]", "\"cores\" is not ascending"},
    {"cores descend", "cores", "[2,1]", "\"cores\" is not ascending"},
    {"highest core", "cores", "[0,65535]", nullptr},
    {"core too high", "cores", "[0,65536]", "not a core index"},
    {"core beyond 32 bits", "cores", "[4294967296]", "not a core index"},
    {"negative core", "cores", "[-1]", "not a core index"},
    {"core as a string", "cores", "[\"1\"]", "not a core index"},
    {"core as a list", "cores", "[[1]]", "not a core index"},
    {"mpl 0", "mpl", "0", "\"mpl\" is 0"},
    {"lowest mpl", "mpl", "1", nullptr},
    {"highest mpl", "mpl", "64", nullptr},
    {"mpl too high", "mpl", "65", "\"mpl\" is 65"},
    {"generation 0", "generation", "0", "\"generation\" is 0"},
    {"lowest generation", "generation", "1", nullptr},
    {"highest generation", "generation", "18446744073709551615", nullptr},
    {"generation beyond 64 bits", "generation", "18446744073709551616",
     "\"generation\" is not a whole number"},
    {"no run", "run", nullptr, nullptr},
    {"first run", "run", "0", nullptr},
    {"negative run", "run", "-1", "\"run\" is not a whole number"},
    {"run NO_VAL", "run", "4294967294", "\"run\" is 4294967294"},
};

constexpr Change answer_changes[] = {
    {"unknown field is ignored", "mood", "[1,2]", nullptr},
    {"no node", "node", nullptr, "answer: \"node\" is missing"},
    {"no job", "job_id", nullptr, "answer: \"job_id\" is missing"},
    {"no outcome", "outcome", nullptr, "answer: \"outcome\" is missing"},
    {"no generation", "generation", nullptr, "answer: \"generation\" is missing"},
    {"no reason", "reason", nullptr, "answer: \"reason\" is missing"},
    {"job 0", "job_id", "0", "\"job_id\" is 0"},
    {"applied", "outcome", "\"applied\"", nullptr},
    {"superseded", "outcome", "\"superseded\"", nullptr},
    {"unknown job", "outcome", "\"unknown_job\"", nullptr},
    {"refused", "outcome", "\"refused\"", nullptr},
    {"unknown outcome", "outcome", "\"Applied\"", "\"outcome\" is unknown"},
    {"outcome as a number", "outcome", "0", "\"outcome\" is not a string"},
    {"nothing applied yet", "generation", "0", nullptr},
    {"negative generation", "generation", "-1", "\"generation\" is not a whole number"},
    {"reason null", "reason", "null", "\"reason\" is not a string"},
    {"unattached", "unattached", "true", nullptr},
    {"unattached null", "unattached", "null", "\"unattached\" is neither true nor false"},
    {"no hand-over", "hand_over_ns", nullptr, nullptr},
    {"hand-over of no time", "hand_over_ns", "0", "\"hand_over_ns\" is 0"},
    {"hand-over of ages", "hand_over_ns", "10000001", "\"hand_over_ns\" is 10000001"},
    {"hand-over null", "hand_over_ns", "null", "\"hand_over_ns\" is not a whole number"},
    {"no ranks", "ranks", nullptr, nullptr},
    {"ranks null", "ranks", "null", "ranks is not a JSON object"},
    {"ranks empty", "ranks", "{}", "ranks: \"tasks\" is missing"},
    {"too many tasks", "ranks", "{\"tasks\":4294967296}", "\"tasks\" is 4294967296"},
    {"more attached than tasks", "ranks", "{\"tasks\":8,\"attached\":9}",
     "\"attached\" is 9, not from 0 to 8"},
    {"negative time", "ranks", "{\"tasks\":8,\"attached\":8,\"useful_ns\":-1}",
     "\"useful_ns\" is not a whole number"},
    {"no switches", "ranks", "{\"tasks\":8,\"attached\":8,\"useful_ns\":1,\"waiting_ns\":1}",
     "\"switches\" is missing"},
};

START_TEST(target_field_is_checked) {
    const Change &change = target_changes[_i];
    expect(decode_target, changed(encode(some_target()), "target", change), change);
}
END_TEST

START_TEST(answer_field_is_checked) {
    const Change &change = answer_changes[_i];
    expect(decode_answer, changed(encode(some_answer()), "answer", change), change);
}
END_TEST

std::string nested_objects(int depth) {
    std::string text = "0";
    for (; depth > 0; --depth)
        text = "{\"a\":" + text + "}";
    return text;
}

std::string repeated(const std::string &text, int count) {
    std::string all;
    for (; count > 0; --count)
        all += text;
    return all;
}

std::string object_with_keys(int count) {
    std::string text = "{\"0\":0";
    for (int key = 1; key < count; ++key)
        text += ",\"" + std::to_string(key) + "\":0";
    return text + "}";
}

std::string padded(const std::string &text, std::size_t size) {
    return text + std::string(size - text.size(), ' ');
}

struct Text {
    const char *name;
    std::string json;
    const char *error;
};

START_TEST(what_is_no_message_is_refused) {
    const std::string target = encode(some_target());
    const Text texts[] = {
        {"empty", "", "not JSON"},
        {"no JSON", "target", "not JSON"},
        {"cut", target.substr(0, target.size() - 1), "not JSON"},
        {"something follows", target + "x", "not JSON"},
        {"not UTF-8", "{\"target\":\"\xff\"}", "not JSON"},
        {"NUL", std::string(1, '\0'), "not JSON"},
        {"number without end", "{\"target\":1e999}", "not JSON"},
        {"list", "[" + target + "]", "not a JSON object"},
        {"string", "\"target\"", "not a JSON object"},
        {"null", "null", "not a JSON object"},
        {"another message", encode(some_answer()), "has no \"target\""},
        {"target is a list", "{\"target\":[]}", "target is not a JSON object"},
        {"nested deep", std::string(500000, '['), "nested too deep"},
        {"nested as deep as may be", nested_objects(9), "has no \"target\""},
        {"nested deeper", nested_objects(10), "nested too deep"},
        {"many keys", object_with_keys(65), "too many keys"},
        {"many keys deep inside", "{\"target\":[1," + object_with_keys(65) + "]}", "too many keys"},
        {"many keys in many objects", "[" + object_with_keys(64) + "," + object_with_keys(64) + "]",
         "not a JSON object"},
        {"key again and again", "{" + repeated("\"a\":0,", 80000) + "\"a\":0}", "too many keys"},
        {"as many keys as fit", object_with_keys(60000), "too many keys"},
        {"as many objects as fit", "[" + repeated("{},", 200000) + "{}]", "not a JSON object"},
        {"as many lists as fit", "[" + repeated("[],", 200000) + "[]]", "not a JSON object"},
        {"oversized", padded(target, highest_payload_bytes + 1), "longer than"},
    };
    for (const Text &text : texts)
        expect_part(error_of<MessageError>([&] { decode_target(text.json); }), text.error,
                    text.name);
}
END_TEST

START_TEST(target_survives_the_way) {
    const Target sent = some_target();
    const Target got = decode_target(encode(sent));
    expect_equal(got.node, "n1");
    ck_assert_uint_eq(got.job_id, sent.job_id);
    ck_assert_uint_eq(got.user_id, sent.user_id);
    ck_assert(got.cores == sent.cores);
    ck_assert_uint_eq(got.mpl, sent.mpl);
    ck_assert_uint_eq(got.generation, sent.generation);
    ck_assert(got.run == sent.run);
}
END_TEST

START_TEST(answer_survives_the_way) {
    for (const Outcome outcome :
         {Outcome::applied, Outcome::superseded, Outcome::unknown_job, Outcome::refused}) {
        Answer sent = some_answer();
        sent.outcome = outcome;
        sent.unattached = outcome == Outcome::refused;
        sent.reason = "because \"so\"\n";
        const Answer got = decode_answer(encode(sent));
        expect_equal(got.node, "n1");
        ck_assert_uint_eq(got.job_id, sent.job_id);
        ck_assert(got.outcome == outcome);
        ck_assert_uint_eq(got.generation, sent.generation);
        expect_equal(got.reason, sent.reason);
        ck_assert(got.unattached == sent.unattached);
        ck_assert(got.ranks);
        ck_assert_uint_eq(got.ranks->tasks, 8);
        ck_assert_uint_eq(got.ranks->attached, 5);
        ck_assert_uint_eq(got.ranks->useful_ns, 4000000000000);
        ck_assert_uint_eq(got.ranks->waiting_ns, 3);
        ck_assert_uint_eq(got.ranks->switches, 2);
        ck_assert_uint_eq(got.ranks->messages, 1);
        expect_equal(names_of_engines(got.ranks->engines), "open-mpi,generic");
        ck_assert_uint_eq(got.hand_over_ns, 1700);
    }
}
END_TEST

START_TEST(node_name_is_bounded) {
    Target target = some_target();
    target.node = std::string(highest_node_name_bytes, 'n');
    ck_assert(decode_target(encode(target)).node == target.node);
    target.node += 'n';
    expect_part(error_of<MessageError>([&] { decode_target(encode(target)); }), "bytes", "error");
}
END_TEST

START_TEST(longest_message_is_read) {
    const std::string longest = padded(encode(some_target()), highest_payload_bytes);
    ck_assert_uint_eq(decode_target(longest).job_id, some_target().job_id);
}
END_TEST

START_TEST(reason_may_be_anything) {
    Answer answer = some_answer();
    answer.reason = "caf\xe9";
    expect_equal(decode_answer(encode(answer)).reason, "caf\xef\xbf\xbd");
    answer.reason = std::string(2 * highest_reason_bytes, 'x');
    ck_assert_uint_eq(decode_answer(encode(answer)).reason.size(), highest_reason_bytes);
}
END_TEST

START_TEST(every_core_of_the_largest_node_fits) {
    Target target = some_target();
    target.cores.clear();
    for (std::uint32_t core = 0; core <= highest_core_index; ++core)
        target.cores.push_back(core);
    ck_assert(decode_target(encode(target)).cores == target.cores);
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("messages");
    TCase *tests = tcase_create("messages");
    tcase_add_loop_test(tests, target_field_is_checked, 0, std::size(target_changes));
    tcase_add_loop_test(tests, answer_field_is_checked, 0, std::size(answer_changes));
    tcase_add_test(tests, what_is_no_message_is_refused);
    tcase_add_test(tests, target_survives_the_way);
    tcase_add_test(tests, answer_survives_the_way);
    tcase_add_test(tests, node_name_is_bounded);
    tcase_add_test(tests, longest_message_is_read);
    tcase_add_test(tests, reason_may_be_anything);
    tcase_add_test(tests, every_core_of_the_largest_node_fits);
    suite_add_tcase(suite, tests);
    return run({suite});
}
