// Which puzzle is in which lane: new ones, the search of those that inference leaves open, and their answers.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "answers.hpp"
#include "branch.hpp"
#include "group.hpp"
#include "guesses.hpp"
#include "lanes.hpp"
#include "pass.hpp"
#include "solution.hpp"
#include "slots.hpp"

namespace {

constexpr int kLevels = 81;  // each open choice on the way to a state has filled another cell

template <class V>
class Driver {
    static constexpr int L = V::lanes;
    static constexpr std::uint32_t kAllLanes = ~0u >> (32 - L);

    struct Search {
        std::size_t record;
        std::uint32_t nodes;
        int depth, found;
    };

    // A puzzle between its first inferences and its search.
    struct Waiting {
        Column column;
        std::uint16_t lone[9];
        std::size_t record;
        bool still;
    };

    // What a call needs beside the buffers of the caller.
    struct Room {
        State<V> fresh, search;
        Halves<V> halves;
        Group<V> group;
        Waiting waiting[2 * L];
        Column stack[L][kLevels + 1];  // and what is taken out
        Guesses guesses[L];
        Column spare;
    };

  public:
    explicit Driver(const gridmill::Batch& batch) : batch_(batch), room_(new Room) {
        std::memset(&room_->search, 0, sizeof room_->search);
        std::memset(&room_->halves, 0, sizeof room_->halves);
        std::memset(&room_->group, 0, sizeof room_->group);
    }

    // What `gridmill::Kernel` returns.
    std::size_t run() {
        do {
            while (waiting_ < L && next_ < batch_.records)
                if (!start_block()) return invalid_;
        } while (search());
        return batch_.records;
    }

  private:
    // Loads the next boards, one a lane, and infers until few of them change any more. False: one is no board. (Out of line:
    // as one function with the search it is an eighth slower with AVX-512.)
    [[gnu::noinline]] bool start_block() {
        std::size_t records[L];
        int loaded = 0;
        for (; loaded < L && next_ < batch_.records; ++next_) {
            const std::uint8_t* slot = batch_.boards + kSlot * next_;
            if (is_hole(slot)) {
                finish(next_, hole, 0);
                continue;
            }
            room_->halves.put(loaded, slot);
            records[loaded++] = next_;
        }
        const std::uint32_t used = first_lanes(loaded);
        const Checked checked = Reader<V>(room_->halves, room_->fresh).run();
        if (checked.invalid & used) {
            invalid_ = records[lowest(checked.invalid & used)];
            return false;
        }
        each(checked.clash & used, [&](int lane) { finish(records[lane], clash, 0); });
        std::uint32_t open = used & ~checked.clash, full = 0, still = 0;
        while (open && (count(open) > L / 8 || loaded < L)) {
            const Found found = Pass<V>(room_->fresh).run();
            each(open & found.dead, [&](int lane) { finish(records[lane], none, 0); });
            open &= ~found.dead;
            full |= open & found.full;
            open &= ~found.full;
            still |= open & found.still;
            open &= ~found.still;
        }
        const std::uint32_t wrong = full ? full & write_halves<V>(room_->fresh, room_->halves) : 0;
        each(wrong, [&](int lane) { finish(records[lane], none, 0); });
        each(full & ~wrong, [&](int lane) {
            room_->halves.get(lane, batch_.solutions + kSlot * records[lane]);
            finish(records[lane], batch_.limit == 1 ? solved : unique, 0);
        });
        wait(still | open, still, records);
        return true;
    }

    void wait(std::uint32_t lanes, std::uint32_t still, const std::size_t (&records)[L]) {
        while (lanes) {
            const std::uint32_t some = lowest_lanes<V::group>(lanes);
            lanes ^= some;
            take_out(room_->fresh, some, room_->group);
            Columns<V> columns(room_->spare);
            int slot = 0;
            each(some, [&](int lane) {
                Waiting& waiting = room_->waiting[waiting_++];
                columns.at[slot++] = &waiting.column;
                for (int digit = 0; digit < 9; ++digit) waiting.lone[digit] = room_->fresh.lone[digit][lane];
                waiting.record = records[lane];
                waiting.still = still >> lane & 1;
            });
            lay_out(room_->group, columns.at, slot);
        }
    }

    // Searches until a lane is free and no puzzle waits, while there are more boards: true. Or to the end: false.
    bool search() {
        while (true) {
            fill_lanes();
            if (busy_ != kAllLanes && next_ < batch_.records) return true;
            if (!busy_) return false;
            const Found found = Pass<V>(room_->search).run();
            const std::uint32_t dead = busy_ & found.dead;
            go_back(dead | serve(busy_ & (found.still | found.full) & ~dead, found.full));
        }
    }

    // Puts waiting puzzles into free lanes; those in which nothing changes any more are split at once.
    void fill_lanes() {
        std::uint32_t lanes = kAllLanes & ~busy_;
        while (lanes && waiting_) {
            Columns<V> columns(room_->spare);
            std::uint32_t some = 0, still = 0, bold = 0;
            int slot = 0, first = waiting_;
            for (; slot < V::group && lanes && waiting_; ++slot, lanes &= lanes - 1) {
                some |= lanes & -lanes;
                Waiting& waiting = room_->waiting[--waiting_];
                columns.at[slot] = &waiting.column;
                if (waiting.still && batch_.budget > 0) still |= lanes & -lanes;
                lane_[lowest(lanes)] = {waiting.record, 0, 0, 0};
                const std::uint8_t* const board = batch_.boards + kSlot * waiting.record;
                bold |= lanes & -lanes & -std::uint32_t(promises_many(board));
            }
            bold_ = (bold_ & ~some) | bold;
            guessed_ &= ~some;
            const std::uint32_t guessed = still & bold ? start_guesses(still & bold, some, columns) : 0;
            each(guessed, [&](int lane) { columns.at[slot_of(lane, some)] = take_guess(lane); });
            still ^= guessed;
            gather(columns.at, slot, room_->group);
            put_in(room_->group, some, room_->search);
            each(some & ~still & ~guessed, [&](int lane) {  // these go on as if they had not been moved
                const Waiting& waiting = room_->waiting[first - 1 - slot_of(lane, some)];
                for (int digit = 0; digit < 9; ++digit) room_->search.lone[digit][lane] = waiting.lone[digit];
            });
            each(still, [&](int lane) {
                Column*& column = columns.at[slot_of(lane, some)];
                room_->stack[lane][0] = *column;
                column = &room_->stack[lane][0];
            });
            if (still) split(still, some, columns);
            busy_ |= some;
        }
    }

    // Lanes in which nothing changes any more, or that are full: these are solved, the others are split. Returns the
    // lanes that have to go on with what is on their stacks.
    std::uint32_t serve(std::uint32_t lanes, std::uint32_t full) {
        std::uint32_t again = 0;
        each(lanes & ~full, [&](int lane) {
            if (lane_[lane].nodes < batch_.budget && lane_[lane].depth < kLevels) return;
            end(lane, undecided);
            lanes &= ~(1u << lane);
        });
        while (lanes) {
            const std::uint32_t some = lowest_lanes<V::group>(lanes), solved = some & full, open = some & ~full;
            lanes ^= some;
            take_out(room_->search, some, room_->group);
            Columns<V> columns(room_->spare);
            int slot = 0;
            each(some, [&](int lane) { columns.at[slot++] = &room_->stack[lane][lane_[lane].depth]; });
            lay_out(room_->group, columns.at, slot);
            again |= write(solved, some, columns);
            const std::uint32_t guessed = open & bold_ ? start_guesses(open & bold_, some, columns) : 0;
            again |= guessed;
            if (open ^ guessed) split(open ^ guessed, some, columns);
        }
        return again;
    }

    // Each lane goes on with the first part of what is left; the second stays on its stack, where `columns` has it all.
    void split(std::uint32_t lanes, std::uint32_t some, const Columns<V>& columns) {
        std::uint32_t slots = 0;
        each(lanes, [&](int lane) { slots |= 1u << slot_of(lane, some); });
        Choice choices[V::group];
        choose_all(room_->group, columns.at, slots, choices);
        each(lanes, [&](int lane) {
            const int slot = slot_of(lane, some);
            ++lane_[lane].nodes;
            ++lane_[lane].depth;
            room_->search.total[0][lane] = 0;
            first_part(room_->search, lane, choices[slot]);
            second_part(*columns.at[slot], choices[slot]);
        });
    }

    // Splits puzzles at the top by guesses, where enough is open; returns those lanes. They go on with what is on their
    // stacks. (Out of line, as take_guess: seldom needed, and inlined they make the rest slower.)
    [[gnu::noinline]] std::uint32_t start_guesses(std::uint32_t lanes, std::uint32_t some, const Columns<V>& columns) {
        std::uint32_t guessed = 0;
        bold_ ^= lanes;
        each(lanes, [&](int lane) {
            Guesses& guesses = room_->guesses[lane];
            const Column& column = *columns.at[slot_of(lane, some)];
            if (batch_.budget < Guesses::kCells || !guesses.take(column)) return;
            room_->stack[lane][0] = column;
            lane_[lane].nodes = std::uint32_t(guesses.count());
            lane_[lane].depth = 1;
            guessed |= 1u << lane;
        });
        guessed_ |= guessed;
        return guessed;
    }

    void go_back(std::uint32_t lanes) {
        each(lanes, [&](int lane) {
            if (lane_[lane].depth > 0) return;
            end(lane, lane_[lane].found ? unique : none);
            lanes &= ~(1u << lane);
        });
        while (lanes) {
            const std::uint32_t some = lowest_lanes<V::group>(lanes);
            lanes ^= some;
            Columns<V> columns(room_->spare);
            int slot = 0;
            each(some, [&](int lane) { columns.at[slot++] = &room_->stack[lane][--lane_[lane].depth]; });
            each(some & guessed_, [&](int lane) {
                if (lane_[lane].depth == 0) columns.at[slot_of(lane, some)] = take_guess(lane);
            });
            gather(columns.at, slot, room_->group);
            put_in(room_->group, some, room_->search);
        }
    }

    // What to go on with, of what the lowest column on the stack and the guesses stand for.
    [[gnu::noinline]] Column* take_guess(int lane) {
        Guesses& guesses = room_->guesses[lane];
        Column* const made = &room_->stack[lane][1];
        guesses.next(room_->stack[lane][0], *made);
        if (guesses.any_left())
            lane_[lane].depth = 1;
        else
            guessed_ ^= 1u << lane;
        return made;
    }

    // Writes the solutions; returns the lanes that have to look for another, or had none.
    std::uint32_t write(std::uint32_t lanes, std::uint32_t some, const Columns<V>& columns) {
        each(lanes, [&](int lane) {
            Search& search = lane_[lane];
            std::uint8_t* const slots = search.found ? batch_.seconds : batch_.solutions;
            if (!write_solution<V>(*columns.at[slot_of(lane, some)], slots + kSlot * search.record)) return;
            if (++search.found < batch_.limit) return;
            end(lane, batch_.limit == 1 ? solved : multiple);
            lanes &= ~(1u << lane);
        });
        return lanes;
    }

    void end(int lane, Code code) {
        finish(lane_[lane].record, code, lane_[lane].nodes);
        busy_ &= ~(1u << lane);
    }

    void finish(std::size_t record, Code code, std::uint32_t nodes) {
        batch_.codes[record] = code;
        batch_.nodes[record] = nodes;
    }

    const gridmill::Batch& batch_;
    const std::unique_ptr<Room> room_;
    std::size_t next_ = 0, invalid_ = 0;
    int waiting_ = 0;
    std::uint32_t busy_ = 0;     // lanes with a puzzle
    std::uint32_t bold_ = 0;     // that promises many solutions and has not been split
    std::uint32_t guessed_ = 0;  // of which the lowest column on the stack is what was there before guesses
    Search lane_[L];
};

}  // namespace
