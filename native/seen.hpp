// Which of many digests have been seen before, and in which record first: a table of 24 bytes a place, doubled when two
// thirds are taken, so 36 to 72 bytes a digest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gridmill {

class Seen {
  public:
    static constexpr std::size_t kDigest = 16;  // bytes

    Seen() : places_(1024) {}

    // The record that had this digest first, which is `record` (from 1) when none had. Throws std::bad_alloc.
    std::uint64_t note(const std::uint8_t* digest, std::uint64_t record) {
        if (3 * (taken_ + 1) > 2 * places_.size()) grow();
        Place given;
        std::memcpy(given.digest, digest, kDigest);
        given.record = record;
        Place& place = find(places_, given);
        if (!place.record) {
            place = given;
            ++taken_;
        }
        return place.record;
    }

  private:
    struct Place {
        std::uint64_t digest[2];
        std::uint64_t record = 0;  // 0: free
    };

    // Where a digest is, or belongs. It is as good as random, so its first bits are a place to begin.
    static Place& find(std::vector<Place>& places, const Place& given) {
        std::size_t at = given.digest[0] & (places.size() - 1);
        while (places[at].record && std::memcmp(places[at].digest, given.digest, kDigest) != 0)
            at = (at + 1) & (places.size() - 1);
        return places[at];
    }

    void grow() {
        std::vector<Place> larger(2 * places_.size());
        for (const Place& place : places_)
            if (place.record) find(larger, place) = place;
        places_.swap(larger);
    }

    std::vector<Place> places_;  // a power of two
    std::size_t taken_ = 0;
};

}  // namespace gridmill
