// How a text stands in a row: gridmill/formats/formula.py and quoting.py for CSV, JSON's strings for JSON lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gridmill::text {

struct Bytes {
    const std::uint8_t* data;
    std::size_t size;
};

// A text of n bytes takes up to 6 n + 3 in a row: `\u001f` for one byte in JSON, and `"'` before and `"` behind in CSV.
constexpr std::size_t kMostEach = 6, kMostAround = 3;

inline bool has(Bytes text, std::uint8_t sign) { return std::memchr(text.data, sign, text.size) != nullptr; }

inline bool needs_quotes(Bytes text) {
    return has(text, ',') || has(text, '"') || has(text, '\n') || has(text, '\r');
}

inline bool needs_escapes(Bytes text) {
    unsigned char found = 0;  // not bool: this becomes vector code
    for (std::size_t at = 0; at < text.size; ++at) {
        const std::uint8_t sign = text.data[at];
        found |= (unsigned char)(sign < 0x20) | (unsigned char)(sign == '"') | (unsigned char)(sign == '\\');
    }
    return found != 0;
}

// [+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?
inline bool is_number(Bytes text) {
    const std::uint8_t* at = text.data;
    const std::uint8_t* const end = at + text.size;
    const auto skip_sign = [&] { at += at < end && (*at == '+' || *at == '-'); };
    const auto skip_digits = [&] {
        const std::uint8_t* const begin = at;
        while (at < end && *at >= '0' && *at <= '9') ++at;
        return at > begin;
    };
    skip_sign();
    if (!skip_digits()) return false;
    if (at < end && *at == '.' && (++at, !skip_digits())) return false;
    if (at < end && (*at == 'e' || *at == 'E') && (++at, skip_sign(), !skip_digits())) return false;
    return at == end;
}

// `text` is not empty.
inline bool needs_mark(Bytes text) {
    switch (text.data[0]) {
        case '=':
        case '+':
        case '-':
        case '@':
        case '\t':
        case '\r':
        case '\n':
        case '\'': return !is_number(text);
        default: return false;
    }
}

inline std::uint8_t* copy(Bytes text, std::uint8_t* out) {
    std::memcpy(out, text.data, text.size);
    return out + text.size;
}

// Writes `text` as a field of a row with commas and returns its end. `is_plain`: it is known to need no quotes.
inline std::uint8_t* put_csv(Bytes text, bool is_plain, std::uint8_t* out) {
    if (text.size == 0) return out;
    const bool is_marked = needs_mark(text), is_quoted = !is_plain && needs_quotes(text);
    if (is_quoted) *out++ = '"';
    if (is_marked) *out++ = '\'';
    if (!is_quoted) return copy(text, out);
    for (std::size_t at = 0; at < text.size; ++at) {
        if (text.data[at] == '"') *out++ = '"';
        *out++ = text.data[at];
    }
    *out++ = '"';
    return out;
}

// What stands behind the backslash for `sign`: 0 where it needs none, 'u' where only its code will do.
inline char json_escape(std::uint8_t sign) {
    switch (sign) {
        case '"':
        case '\\': return char(sign);
        case '\b': return 'b';
        case '\f': return 'f';
        case '\n': return 'n';
        case '\r': return 'r';
        case '\t': return 't';
        default: return sign < 0x20 ? 'u' : 0;
    }
}

// Writes `text` as it stands between the quotes of a JSON string. `is_plain`: it is known to need no escapes.
inline std::uint8_t* put_json(Bytes text, bool is_plain, std::uint8_t* out) {
    if (is_plain) return text.size == 0 ? out : copy(text, out);
    for (std::size_t at = 0; at < text.size; ++at) {
        const std::uint8_t sign = text.data[at];
        const char escape = json_escape(sign);
        if (escape) *out++ = '\\';
        *out++ = escape ? std::uint8_t(escape) : sign;
        if (escape != 'u') continue;
        for (const char digit : {'0', '0', char('0' + (sign >> 4)), "0123456789abcdef"[sign & 15]})
            *out++ = std::uint8_t(digit);
    }
    return out;
}

}  // namespace gridmill::text
