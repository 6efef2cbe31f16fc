// Which puzzle is in which lane: new ones, the search of those that inference leaves open, and their answers.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "branch.hpp"
#include "lanes.hpp"
#include "pass.hpp"
#include "slots.hpp"

namespace {

enum Code : std::uint8_t { hole = 0, unique, solved, multiple, none, clash, undecided };

constexpr int kLevels = 81;  // each open choice on the way to a state has filled another cell

// One lane taken out of the state: for each digit the cells that are left, and the columns of `lone`.
struct Column {
    Cells left[9];
    std::uint16_t lone[9];
};

template <class V>
void take_out(const State<V>& state, int lane, Cells (&left)[9]) {
#pragma GCC unroll 9
    for (int digit = 0; digit < 9; ++digit) {
        std::uint64_t row[9];
#pragma GCC unroll 9
        for (int at = 0; at < 9; ++at) row[at] = state.left[digit][at][lane];
        left[digit] = {row[0] | row[1] << 12 | row[2] << 24 | row[3] << 36 | row[4] << 48,
                       row[5] | row[6] << 12 | row[7] << 24 | row[8] << 36};
    }
}
template <class V>
void put_in(const Cells (&left)[9], State<V>& state, int lane) {
#pragma GCC unroll 9
    for (int digit = 0; digit < 9; ++digit) {
#pragma GCC unroll 9
        for (int at = 0; at < 9; ++at)
            state.left[digit][at][lane] =
                std::uint16_t((at < 5 ? left[digit].low >> 12 * at : left[digit].high >> (12 * at - 60)) & kRow);
        state.lone[digit][lane] = 0;
    }
}

inline int bits(std::uint32_t x) { return __builtin_popcount(x); }
inline int first_lane(std::uint32_t lanes) { return __builtin_ctz(lanes); }
inline std::uint32_t first_lanes(int count) { return count >= 32 ? ~0u : (1u << count) - 1; }

template <class V>
class Driver {
    static constexpr int L = V::lanes;
    static constexpr std::uint32_t kAllLanes = L == 32 ? ~0u : (1u << (L % 32)) - 1;

    struct Search {
        std::size_t record;
        std::uint32_t nodes;
        int depth, found;
    };

    // What a call needs beside the buffers of the caller.
    struct Room {
        State<V> fresh, search, done;
        Halves<V> halves;
        Column waiting[2 * L];       // puzzles that have to be searched
        std::size_t waiting_record[2 * L];
        Cells stack[L][kLevels][9];
    };

  public:
    explicit Driver(const gridmill::Batch& batch) : batch_(batch), room_(new Room) {}

    gridmill::Solved run() {
        std::memset(&room_->search, 0, sizeof room_->search);
        while (true) {
            while (waiting_ < L && next_ < batch_.records) {
                if (!start_block()) return {0, 0, invalid_};
            }
            if (!search()) break;
        }
        write_done();
        return compact();
    }

  private:
    // Loads the next boards, one a lane, and infers until few of them change any more.
    bool start_block() {
        Room& room = *room_;
        std::size_t records[L];
        int count = 0;
        for (; count < L && next_ < batch_.records; ++next_) {
            const std::uint8_t* slot = batch_.boards + kSlot * next_;
            if (is_hole(slot)) {
                batch_.codes[next_] = hole;
                batch_.nodes[next_] = 0;
                continue;
            }
            room.halves.put(count, slot);
            records[count++] = next_;
        }
        const std::uint32_t used = first_lanes(count) & kAllLanes;
        const Checked checked = Reader<V>(room.halves, room.fresh).run();
        if (checked.invalid & used) {
            invalid_ = records[first_lane(checked.invalid & used)];
            return false;
        }
        std::uint32_t open = used;
        for (std::uint32_t lanes = checked.clash & used; lanes; lanes &= lanes - 1)
            finish(records[first_lane(lanes)], clash, 0);
        open &= ~checked.clash;
        std::uint32_t complete = 0, stalled = 0;
        while (bits(open) > L / 8 || (open && count < L)) {
            const Found found = Pass<V>(room.fresh).run();
            ++passes_;
            for (std::uint32_t lanes = open & found.dead; lanes; lanes &= lanes - 1)
                finish(records[first_lane(lanes)], none, 0);
            open &= ~found.dead;
            complete |= open & found.still & found.full;
            stalled |= open & found.still & ~found.full;
            open &= ~found.still;
        }
        if (complete) {
            write_halves<V>(room.fresh, room.halves);
            for (std::uint32_t lanes = complete; lanes; lanes &= lanes - 1) {
                const int lane = first_lane(lanes);
                room.halves.get(lane, batch_.solutions + kSlot * records[lane]);
                finish(records[lane], batch_.limit == 1 ? solved : unique, 0);
            }
        }
        for (std::uint32_t lanes = stalled | open; lanes; lanes &= lanes - 1) {
            const int lane = first_lane(lanes);
            take_out<V>(room.fresh, lane, room.waiting[waiting_].left);
            for (int digit = 0; digit < 9; ++digit) room.waiting[waiting_].lone[digit] = room.fresh.lone[digit][lane];
            room.waiting_record[waiting_++] = records[lane];
        }
        return true;
    }

    // Searches until a lane is free and no puzzle waits, while there are more boards: true. Or to the end: false.
    bool search() {
        Room& room = *room_;
        while (true) {
            for (std::uint32_t lanes = kAllLanes & ~busy_; lanes && waiting_; lanes &= lanes - 1) {
                const int lane = first_lane(lanes);
                put_in<V>(room.waiting[--waiting_].left, room.search, lane);
                for (int digit = 0; digit < 9; ++digit) room.search.lone[digit][lane] = room.waiting[waiting_].lone[digit];
                lane_[lane] = {room.waiting_record[waiting_], 0, 0, 0};
                busy_ |= 1u << lane;
            }
            if (busy_ != kAllLanes && next_ < batch_.records) return true;
            if (!busy_) return false;
            const Found found = Pass<V>(room.search).run();
            ++passes_;
            for (std::uint32_t lanes = busy_ & (found.dead | found.still); lanes; lanes &= lanes - 1) {
                const int lane = first_lane(lanes);
                const std::uint32_t bit = 1u << lane;
                if (found.dead & bit)
                    go_back(lane);
                else if (found.full & bit)
                    take_solution(lane);
                else
                    split(lane);
            }
        }
    }

    void split(int lane) {
        Search& search = lane_[lane];
        if (search.nodes >= batch_.budget) return end(lane, undecided);
        Cells(&saved)[9] = room_->stack[lane][search.depth];
        take_out<V>(room_->search, lane, saved);
        const Choice choice = Chooser(saved).choose();
        ++search.nodes;
        ++search.depth;
        const int row = choice.place / 12;
        const std::uint16_t cell = std::uint16_t(1u << choice.place % 12);
        for (int digit = 0; digit < 9; ++digit)
            if (digit != choice.digit) room_->search.left[digit][row][lane] &= std::uint16_t(~cell);
        saved[choice.digit] = saved[choice.digit] - at(row, choice.place % 12);
    }

    void go_back(int lane) {
        Search& search = lane_[lane];
        if (search.depth == 0) return end(lane, search.found ? unique : none);
        put_in<V>(room_->stack[lane][--search.depth], room_->search, lane);
    }

    void take_solution(int lane) {
        Search& search = lane_[lane];
        Room& room = *room_;
        std::uint8_t* to = (search.found ? batch_.seconds : batch_.solutions) + kSlot * search.record;
        Cells left[9];
        take_out<V>(room.search, lane, left);
        put_in<V>(left, room.done, done_);
        target_[done_++] = to;
        if (done_ == L) write_done();
        ++search.found;
        if (search.found == batch_.limit) return end(lane, batch_.limit == 1 ? solved : multiple);
        go_back(lane);
    }

    void end(int lane, Code code) {
        finish(lane_[lane].record, code, lane_[lane].nodes);
        busy_ &= ~(1u << lane);
    }

    void finish(std::size_t record, Code code, std::uint32_t nodes) {
        batch_.codes[record] = code;
        batch_.nodes[record] = nodes;
    }

    void write_done() {
        write_halves<V>(room_->done, room_->halves);
        for (int lane = 0; lane < done_; ++lane) room_->halves.get(lane, target_[lane]);
        done_ = 0;
    }

    gridmill::Solved compact() {
        gridmill::Solved counted{0, 0, batch_.records};
        for (std::size_t record = 0; record < batch_.records; ++record) {
            const Code code = Code(batch_.codes[record]);
            if (code == unique || code == solved || code == multiple) {
                if (counted.solutions != record)
                    std::memcpy(batch_.solutions + kSlot * counted.solutions, batch_.solutions + kSlot * record, kSlot);
                ++counted.solutions;
            }
            if (code == multiple) {
                if (counted.seconds != record)
                    std::memcpy(batch_.seconds + kSlot * counted.seconds, batch_.seconds + kSlot * record, kSlot);
                ++counted.seconds;
            }
        }
        return counted;
    }

    static bool is_hole(const std::uint8_t* slot) {
        if (slot[0] != 0xFF) return false;
        for (int at = 1; at < kSlot; ++at)
            if (slot[at] != 0xFF) return false;
        return true;
    }

    const gridmill::Batch& batch_;
    std::unique_ptr<Room> room_;
    std::size_t next_ = 0, invalid_ = 0;
    int waiting_ = 0, done_ = 0;
    std::uint32_t busy_ = 0;
    Search lane_[L];
    std::uint8_t* target_[L];
  public:
    std::uint64_t passes_ = 0;
};

}  // namespace
