#include "text_sheet.hpp"

#include <array>

#include "text_cells.hpp"

namespace gridmill::text {
namespace {

bool fits(const Texts& texts, std::size_t records) {
    if (texts.sizes.size == 0) return texts.text.size == 0;
    if (texts.sizes.size != sizeof(std::uint32_t) * records) return false;
    std::uint64_t total = 0;
    for (std::size_t at = 0; at < records; ++at) total += load<std::uint32_t>(texts.sizes, at);
    return total == texts.text.size;
}

// Whether the numbers, of which every `step`th counts, grow and stay below `limit`.
template <class Number>
bool grow(Bytes numbers, std::size_t step, std::size_t limit) {
    if (numbers.size % (step * sizeof(Number)) != 0) return false;
    for (std::size_t at = 0; at < numbers.size / sizeof(Number); at += step) {
        const Number number = load<Number>(numbers, at);
        if (number >= limit || (at > 0 && number <= load<Number>(numbers, at - step))) return false;
    }
    return true;
}

}  // namespace

const char* find_fault(const Sheet& sheet, Form form) {
    const std::size_t records = sheet.codes.size;
    if (sheet.boards.size != kPacked * records || sheet.nodes.size != sizeof(std::uint32_t) * records)
        return "the boards, codes and nodes are not of as many records";
    std::array<std::size_t, 256> counts{};
    for (std::size_t at = 0; at < records; ++at) ++counts[sheet.codes.data[at]];
    for (std::size_t code = beyond; code < counts.size(); ++code)
        if (counts[code]) return "there is a code that stands for nothing";
    if (sheet.solutions.size != kPacked * (counts[unique] + counts[solved] + counts[multiple]) ||
        sheet.seconds.size != kPacked * counts[multiple])
        return "there are more or fewer solutions than the codes call for";
    if (!grow<std::uint64_t>(sheet.lines, 2, records)) return "the lines do not fit the records";
    if (!grow<std::uint32_t>(sheet.odd, 1, records)) return "the odd records are not in order";
    if (!fits(sheet.answers, sheet.odd.size / sizeof(std::uint32_t))) return "the odd answers do not fit";
    for (const Texts& texts : sheet.columns)
        if (!fits(texts, records)) return "a column does not fit the records";
    const bool has_columns = form == Form::csv || form == Form::jsonl;
    if (has_columns && sheet.columns.empty()) return "the column of the ids is missing";
    if (form == Form::jsonl && sheet.names.size() + 1 != sheet.columns.size()) return "every column needs a name";
    if (sheet.told && sheet.told >= sheet.columns.size()) return "there are fewer columns than are told";
    return nullptr;
}

}  // namespace gridmill::text
