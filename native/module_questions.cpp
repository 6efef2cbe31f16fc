// The Python side of what is asked of a puzzle beside its solution: gridmill._native.count,
// .canon, .techniques, .lacking, .spared and .Seen.
#include "module_questions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "canon.hpp"
#include "count.hpp"
#include "deep.hpp"
#include "draft.hpp"
#include "seen.hpp"
#include "spare.hpp"
#include "technique.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

nb::bytes bytes_of(const std::vector<std::uint8_t>& data) { return nb::bytes(data.data(), data.size()); }

nb::tuple count(nb::handle board, std::uint32_t limit, std::uint32_t budget, bool keep) {
    const View view(board);
    if (view.bytes().size != kPacked) throw nb::value_error("the board is not one slot of 41 bytes");
    std::array<std::uint8_t, kPacked> packed;  // a copy: the bytes may change while the GIL is released
    std::copy_n(view.bytes().data, kPacked, packed.begin());
    if (!is_board(packed.data())) throw nb::value_error("the slot is not a board");
    Tally tally;
    {
        nb::gil_scoped_release unlocked;
        tally = count_solutions(packed.data(), limit, budget, keep);
    }
    return nb::make_tuple(tally.found, tally.spent, bytes_of(tally.solutions));
}

nb::bytes canon(nb::handle boards) {
    const View view(boards);
    const Bytes bytes = view.bytes();
    if (bytes.size % kPacked != 0) throw nb::value_error("the boards are not whole slots of 41 bytes");
    Draft forms(bytes.size);
    {
        nb::gil_scoped_release unlocked;
        find_forms(bytes.data, bytes.size / kPacked, forms.data());
    }
    return forms.keep();
}

nb::bytes techniques(nb::handle boards) {
    const View view(boards);
    const Bytes bytes = view.bytes();
    if (bytes.size % kPacked != 0) throw nb::value_error("the boards are not whole slots of 41 bytes");
    const std::size_t records = bytes.size / kPacked;
    Draft found(records);
    {
        nb::gil_scoped_release unlocked;
        rate(bytes.data, records, found.data());
    }
    return found.keep();
}

nb::tuple lacking_of(nb::handle boards, nb::handle solutions) {
    const View view(boards), solved(solutions);
    const Bytes bytes = view.bytes();
    if (bytes.size % kPacked != 0) throw nb::value_error("the boards are not whole slots of 41 bytes");
    if (solved.bytes().size != bytes.size) throw nb::value_error("there is not one solution for each board");
    Lacking made;
    {
        nb::gil_scoped_release unlocked;
        made = lacking(bytes.data, solved.bytes().data, bytes.size / kPacked);
    }
    return nb::make_tuple(bytes_of(made.boards), bytes_of(made.cells), bytes_of(made.counts));
}

nb::bytes spared(const nb::bytes& cells, const nb::bytes& counts, const nb::bytes& codes, std::uint8_t unique) {
    constexpr std::size_t size = 11;  // bytes for a bit a cell
    const auto data = [](const nb::bytes& bytes) { return static_cast<const std::uint8_t*>(bytes.data()); };
    std::vector<std::uint8_t> found(size * counts.size());
    std::size_t at = 0;
    for (std::size_t record = 0; record < counts.size(); ++record)
        for (std::uint8_t left = data(counts)[record]; left; --left, ++at) {
            if (at == cells.size() || at == codes.size() || data(cells)[at] >= 8 * size)
                throw nb::value_error("there are fewer cells or codes than counted, or one is no cell");
            if (data(codes)[at] == unique)
                found[size * record + data(cells)[at] / 8] |= std::uint8_t(1u << data(cells)[at] % 8);
        }
    return bytes_of(found);
}

nb::bytes note(Seen& seen, nb::handle digests, std::uint64_t first) {
    const View view(digests);
    const Bytes bytes = view.bytes();
    if (bytes.size % Seen::kDigest != 0) throw nb::value_error("the digests are not whole ones of 16 bytes");
    std::vector<std::uint64_t> found;  // no GIL is released: the table is one thread's
    const std::uint8_t nothing[Seen::kDigest] = {};
    for (std::size_t at = 0; at < bytes.size; at += Seen::kDigest) {
        const bool is_hole = std::memcmp(bytes.data + at, nothing, Seen::kDigest) == 0;
        found.push_back(is_hole ? 0 : seen.note(bytes.data + at, first + at / Seen::kDigest));
    }
    return nb::bytes(found.data(), found.size() * sizeof(std::uint64_t));
}

}  // namespace

void bind_questions(nb::module_& module) {
    module.def("count", &count, nb::arg("board"), nb::arg("limit"), nb::arg("budget"), nb::arg("keep"),
               "Solutions of one packed board: how many were found, up to one more than the limit; whether the budget "
               "ended the search; with `keep` the first ones, up to the limit, sorted, end to end.");
    module.def("canon", &canon, nb::arg("boards"),
               "The smallest form of each packed board, packed; a hole for what is no board or has givens that clash.");
    module.def("techniques", &techniques, nb::arg("boards"),
               "The hardest technique that each packed board needs (gridmill.technique): 1 to 5, 0 for what is no board.");
    module.def("lacking", &lacking_of, nb::arg("boards"), nb::arg("solutions"),
               "Of packed boards with their solutions, each without a given that is not seen to be needed "
               "(gridmill.solvers.spare): the boards, the cell of each, and how many of them each puzzle has (u8).");
    module.def("spared", &spared, nb::arg("cells"), nb::arg("counts"), nb::arg("codes"), nb::arg("unique"),
               "The findings (gridmill.finding.spared) of what `lacking` gave, by the codes of its boards, end to end.");
    nb::class_<Seen>(module, "Seen", "Which digests have been seen before (gridmill.seen).")
        .def(nb::init<>())
        .def("note", &note, nb::arg("digests"), nb::arg("first"),
             "The record (u64) in which each digest stood first, 0 for one of zeros; theirs count from `first`.");
}

}  // namespace gridmill
