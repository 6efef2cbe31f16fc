#include "single.hpp"

#include <cstring>
#include <vector>

#include "answers.hpp"
#include "deep.hpp"
#include "grid.hpp"

namespace gridmill {
namespace {

using Boards = std::vector<std::uint8_t>;  // packed, one behind the other

constexpr std::uint32_t kFirstNodes = 6;   // of the board as a whole: about what it costs to make parts of it
constexpr std::size_t kParts = 32;         // or a few more: the lanes of the widest vectors
constexpr std::uint32_t kPartNodes = 60;   // of each of them; one of 4,000 very hard boards takes more
constexpr std::uint32_t kDeepNodes = 5000;  // of what is still open, as in gridmill/solvers/lanes.py

// The parts of a board, packed, one behind the other: each candidate of some narrow cells with each of the others'.
Boards parts_of(const std::uint8_t* packed) {
    Grid grid;
    if (!grid.load(packed) || !grid.settle()) return {};
    Boards parts(kPacked), cut;
    grid.pack(parts.data());
    for (int size = 2; size < 10; ++size)
        for (int cell = 0; cell < kCells && parts.size() < kParts * kPacked; ++cell) {
            if (grid.placed[cell] || kSizes.of[grid.may[cell]] != size) continue;
            cut.clear();
            for (std::size_t at = 0; at < parts.size(); at += kPacked)
                for (unsigned left = grid.may[cell]; left; left &= left - 1) {
                    cut.insert(cut.end(), parts.begin() + at, parts.begin() + at + kPacked);
                    *(cut.end() - kPacked + cell / 2) |= std::uint8_t((__builtin_ctz(left) + 1) << (cell % 2 ? 0 : 4));
                }
            parts.swap(cut);
        }
    return parts;
}

// The first of the boards that has a solution decides, if nothing before it is open.
Single first_solved(const Boards& boards, Kernel kernel, std::uint32_t nodes, std::uint8_t* solution) {
    const std::size_t records = boards.size() / kPacked;
    std::vector<std::uint8_t> codes(records), solutions(boards.size()), seconds(boards.size());
    std::vector<std::uint32_t> spent(records);
    kernel({boards.data(), records, 1, nodes, codes.data(), spent.data(), solutions.data(), seconds.data()});
    for (std::size_t record = 0; record < records; ++record) {
        if (codes[record] == undecided) return Single::open;
        if (codes[record] != solved) continue;
        std::memcpy(solution, solutions.data() + kPacked * record, kPacked);
        return Single::solved;
    }
    return Single::none;
}

}  // namespace

Single solve_single(const std::uint8_t* packed, Kernel kernel, std::uint8_t* solution) {
    const Single whole = first_solved({packed, packed + kPacked}, kernel, kFirstNodes, solution);
    if (whole != Single::open) return whole;
    const Single parted = first_solved(parts_of(packed), kernel, kPartNodes, solution);
    if (parted != Single::open) return parted;
    const Answer answer = search_deep(packed, 1, kDeepNodes);
    if (answer.found) std::memcpy(solution, answer.solutions[0], kPacked);
    return answer.found ? Single::solved : answer.spent ? Single::open : Single::none;
}

}  // namespace gridmill
