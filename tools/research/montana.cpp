// The search of patience/solvers/montana_blocks.py once more, in C++17: the same steps in the same order, so the same numbers of
// positions, some fifty times as fast. The reasons for everything stand there, and in patience/solvers/montana_open.py.
//
//     g++ -O2 -std=c++17 -o montana tools/research/montana.cpp
//     ./montana POSITIONS < deals > verdicts
//
// A deal is a line: its number, and the 57 cells of a position, as montana_open.open_up returns them. A verdict is a
// line: the number; won, lost or unknown; how many positions were looked at, POSITIONS at the most; and for a win, which
// of the steps of each position on the way is taken, from 0. montana.py makes the deals and replays the wins.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

using Bits = std::uint64_t;  // a set of places, or of cards

constexpr int ROW = 14, SIZE = 4 * ROW + 1;
constexpr int TWO = 2, KING = 13, FIRST_TWO = 4 * TWO, LAST = 4 * KING;
constexpr int BLANK = 60, EDGE = 61, OPEN = 62, CODES = 64;
constexpr std::array<int, 4> FIRSTS{1, 1 + ROW, 1 + 2 * ROW, 1 + 3 * ROW};

constexpr Bits bit(int place) { return Bits{1} << place; }
constexpr Bits FIRST_COLUMN = bit(FIRSTS[0]) | bit(FIRSTS[1]) | bit(FIRSTS[2]) | bit(FIRSTS[3]);

using Cells = std::array<std::uint8_t, SIZE>;

struct Position {
    Cells cells;
    std::uint64_t key;
};

struct Move {
    int card, source, dest;
};

std::uint64_t KEYS[SIZE][CODES];

void draw_keys() {
    std::uint64_t state = 1;
    for (auto& row : KEYS)
        for (auto& key : row) {  // splitmix64
            std::uint64_t z = state += 0x9e3779b97f4a7c15;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
            z = (z ^ z >> 27) * 0x94d049bb133111eb;
            key = z ^ z >> 31;
        }
}

// montana_open.py

bool is_first(int place) { return FIRST_COLUMN & bit(place); }

int find(const Cells& cells, int card) {
    auto found = static_cast<const std::uint8_t*>(std::memchr(cells.data(), card, SIZE));
    return found ? int(found - cells.data()) : -1;
}

std::vector<int> blanks_of(const Cells& cells) {
    std::vector<int> blanks;
    for (int place = 0; place < SIZE; place++)
        if (cells[place] == BLANK) blanks.push_back(place);
    return blanks;
}

void set(Position& position, int place, int card) {
    position.key ^= KEYS[place][position.cells[place]] ^ KEYS[place][card];
    position.cells[place] = card;
}

Bits followers(const Cells& cells, int left) {
    if (left < LAST) return bit(left + 4);
    Bits cards = 0;
    for (int two = FIRST_TWO; left == OPEN && two < FIRST_TWO + 4; two++)
        if (find(cells, two) < 0) cards |= bit(two + 4);
    return cards;
}

int take_lowest(Bits& set) {
    int lowest = __builtin_ctzll(set);
    set &= set - 1;
    return lowest;
}

std::pair<Move, Position> take_up(const Position& position, int two) {
    Position after = position;
    int source = find(position.cells, two);
    set(after, source, BLANK);
    return {{two, source, EDGE}, after};
}

std::pair<Move, Position> make(const Position& position, int card, int dest) {
    Position after = position;
    int source = find(position.cells, card);
    set(after, dest, card);
    set(after, source, is_first(source) ? OPEN : BLANK);
    if (is_first(source))
        for (int place : FIRSTS)
            if (after.cells[place] >= FIRST_TWO && after.cells[place] < FIRST_TWO + 4) set(after, place, OPEN);
    return {{card, source, dest}, after};
}

std::vector<std::pair<Move, Position>> follow(const Position& position, int dest) {
    std::vector<std::pair<Move, Position>> steps;
    int left = position.cells[dest - 1];
    bool is_full = std::count(position.cells.begin(), position.cells.end(), BLANK) == 4;
    for (Bits cards = followers(position.cells, left); cards;) {
        int card = take_lowest(cards);
        steps.push_back(make(position, card, dest));
        auto& [move, after] = steps.back();
        if (left == OPEN && is_full && after.cells[dest - 1] == OPEN && !is_first(move.source))
            set(after, dest - 1, card - 4);
    }
    return steps;
}

bool is_won(const Cells& cells) {
    for (int first : FIRSTS) {
        int three = cells[first + 1];
        if (three < FIRST_TWO + 4 || three >= FIRST_TWO + 8) return false;
        for (int place = first + 1, card = three; card < LAST + 4; place++, card += 4)
            if (cells[place] != card) return false;
        if (cells[first + KING - 1] != BLANK || (cells[first] != OPEN && cells[first] != three - 4)) return false;
    }
    return true;
}

// montana_blocks.py

struct Chain {
    Cells cells;  // after the moves of this chain
    std::vector<int> places, cards;
    Bits written, read = 0;

    Chain(const Cells& before, int blank) : cells(before), places{blank}, written(bit(blank)) {}

    bool lengthen(const std::vector<Chain>& chains) {
        int dest = places.back(), left = cells[dest - 1];
        if (left >= LAST) return false;
        int source = find(cells, left + 4);
        Bits writes = bit(source), reads = bit(dest - 1);
        if (writes & FIRST_COLUMN) return false;
        for (auto& other : chains)
            if (&other != this && (writes & (other.read | other.written) || reads & other.written)) return false;
        cells[dest] = left + 4;
        cells[source] = BLANK;
        places.push_back(source);
        cards.push_back(left + 4);
        written |= writes;
        read |= reads;
        return true;
    }

    std::vector<int> lengths(Bits touched) const {
        std::vector<int> found{0};
        if ((written | read) & touched)
            for (std::size_t number = 1; number < places.size(); number++)
                if ((bit(places[number]) | bit(places[number - 1]) | bit(places[number - 1] - 1)) & touched)
                    found.push_back(int(number));
        return found;
    }

    bool matters(int length, Bits writes, Bits reads) const {
        int source = places[length], dest = places[length - 1];
        return (bit(source) | bit(dest)) & (writes | reads) || bit(dest - 1) & writes;
    }
};

std::vector<Chain> chains_of(const Cells& cells) {
    std::vector<Chain> chains;
    for (int blank : blanks_of(cells)) chains.emplace_back(cells, blank);
    std::vector<std::size_t> going(chains.size());
    for (std::size_t number = 0; number < going.size(); number++) going[number] = number;
    while (!going.empty()) {
        std::vector<std::size_t> still;
        for (auto number : going)
            if (chains[number].lengthen(chains)) still.push_back(number);
        going = still;
    }
    return chains;
}

Position make_moves(Position position, const std::vector<Chain>& chains, const std::vector<int>& lengths) {
    for (std::size_t number = 0; number < chains.size(); number++)
        for (int move = 0; move < lengths[number]; move++) {
            set(position, chains[number].places[move], chains[number].cards[move]);
            set(position, chains[number].places[move + 1], BLANK);
        }
    return position;
}

bool can_be_emptied(const Cells& cells, Bits needed, std::vector<int> waiting, const std::array<int, CODES>& places) {
    Bits empty = 0;
    for (int blank : waiting) empty |= bit(blank);
    if (empty & needed) return true;
    std::array<Bits, SIZE + 1> coming{}, come{};  // place -> cards that can come there; that have come
    while (!waiting.empty()) {
        int dest = waiting.back();
        waiting.pop_back();
        Bits cards = (followers(cells, cells[dest - 1]) | coming[dest]) & ~come[dest];
        come[dest] |= cards;
        while (cards) {
            int card = take_lowest(cards);
            if (Bits source = bit(places[card]); !(empty & source)) {
                if (needed & source) return true;
                empty |= source;
                waiting.push_back(places[card]);
            }
            if (card < LAST) {
                coming[dest + 1] |= bit(card + 4);
                if (empty & bit(dest + 1)) waiting.push_back(dest + 1);
            }
        }
    }
    return false;
}

Position make_forced_moves(Position position) {
    std::vector<int> blanks = blanks_of(position.cells);
    if (blanks.size() != 4) return position;
    for (int place : FIRSTS) {
        int card = position.cells[place];
        if (card != OPEN && (card < FIRST_TWO || card >= FIRST_TWO + 4)) return position;
    }
    std::array<int, CODES> places{};
    for (int place = 0; place < SIZE; place++) places[position.cells[place]] = place;
    for (bool is_moved = true; is_moved;) {
        is_moved = false;
        for (auto& dest : blanks) {
            int left = position.cells[dest - 1];
            if (left >= LAST) continue;
            int card = left + 4, source = places[card];
            Bits needed = bit(dest - 1) | (card < LAST ? bit(source + 1) : 0);
            std::vector<int> others;
            for (int blank : blanks)
                if (blank != dest) others.push_back(blank);
            if (can_be_emptied(position.cells, needed, others, places)) continue;
            set(position, dest, card);
            set(position, source, BLANK);
            places[card] = dest;
            dest = source;
            is_moved = true;
            break;
        }
    }
    return position;
}

bool can_be_won(const Cells& cells) {
    Bits reach[KING + 1][4] = {}, blank = 0, before = ~Bits{0};
    for (int place = 0; place < SIZE; place++) {
        if (cells[place] < LAST + 4)
            reach[cells[place] / 4][cells[place] % 4] |= bit(place);
        else if (cells[place] != EDGE)
            blank |= bit(place);
    }
    while (blank != before) {
        before = blank;
        for (int suit = 0; suit < 4; suit++) {
            Bits wanted = blank & FIRST_COLUMN;
            for (int rank = TWO; rank <= KING; rank++) {
                Bits& here = reach[rank][suit];
                if (wanted & ~here) {
                    here |= wanted;
                    blank |= here;
                }
                wanted = here << 1 & blank & ~FIRST_COLUMN;
            }
        }
    }
    Bits rows[4];
    for (int suit = 0; suit < 4; suit++) {
        rows[suit] = reach[TWO][suit];
        for (int rank = TWO + 1; rank <= KING; rank++) rows[suit] &= reach[rank][suit] >> (rank - TWO);
    }
    std::array<int, 4> order = FIRSTS;
    do {
        bool is_one = true;
        for (int suit = 0; suit < 4; suit++) is_one = is_one && rows[suit] & bit(order[suit]);
        if (is_one) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
}

Bits places_touched(const Chain& chain, const std::vector<Chain>& chains) {
    int dest = chain.places.back();
    Bits cards = followers(chain.cells, chain.cells[dest - 1]);
    for (auto& other : chains)
        if (&other != &chain)
            for (std::size_t number = 0; number < other.cards.size(); number++)
                if (other.places[number] == dest - 1) cards |= followers(chain.cells, other.cards[number]);
    Bits touched = cards ? bit(dest - 1) : 0;
    while (cards) {
        int card = take_lowest(cards);
        touched |= bit(find(chain.cells, card));
        for (auto& other : chains)
            if (&other != &chain)
                for (std::size_t number = 0; number < other.cards.size(); number++)
                    if (other.cards[number] == card) touched |= bit(other.places[number]);
    }
    return touched & FIRST_COLUMN & ~bit(dest - 1) ? touched | FIRST_COLUMN : touched;
}

void steps_out(const Position& position, const std::vector<Chain>& chains, Bits touched, const Chain* chain, int two,
               std::vector<Position>& steps) {
    std::vector<std::vector<int>> choices;
    for (auto& each : chains)
        choices.push_back(&each == chain ? std::vector<int>{int(each.cards.size())} : each.lengths(touched));
    std::vector<std::size_t> at(chains.size(), 0);
    int dest = chain ? chain->places.back() : 0;
    while (true) {
        std::vector<int> lengths;
        for (std::size_t number = 0; number < chains.size(); number++) lengths.push_back(choices[number][at[number]]);
        Position corner = make_moves(position, chains, lengths);
        std::vector<std::pair<Move, Position>> found;
        if (chain)
            found = follow(corner, dest);
        else
            found.push_back(take_up(corner, two));
        for (auto& [move, after] : found) {
            Bits written = is_first(move.source) ? FIRST_COLUMN : bit(move.source), read = 0;
            if (chain) written |= bit(dest), read = bit(dest - 1);
            bool all_matter = true;
            for (std::size_t number = 0; number < chains.size(); number++)
                if (lengths[number] && &chains[number] != chain)
                    all_matter = all_matter && chains[number].matters(lengths[number], written, read);
            if (all_matter) steps.push_back(after);
        }
        int number = int(chains.size()) - 1;  // the next of itertools.product
        while (number >= 0 && ++at[number] == choices[number].size()) at[number--] = 0;
        if (number < 0) return;
    }
}

std::vector<Position> steps_from(const Position& begin) {
    Position position = make_forced_moves(begin);
    std::vector<Position> steps;
    if (!can_be_won(position.cells)) return steps;
    std::vector<Chain> chains = chains_of(position.cells);
    std::vector<int> whole;
    for (auto& chain : chains) whole.push_back(int(chain.cards.size()));
    Position corner = make_moves(position, chains, whole);
    if (is_won(corner.cells)) return {corner};
    for (auto& chain : chains)
        if (Bits touched = places_touched(chain, chains)) steps_out(position, chains, touched, &chain, 0, steps);
    for (int two = FIRST_TWO; chains.size() < 4 && two < FIRST_TWO + 4; two++)
        if (int place = find(position.cells, two); place >= 0)
            steps_out(position, chains, bit(place), nullptr, two, steps);
    return steps;
}

// search.py

class Table {
    std::vector<std::uint64_t> slots = std::vector<std::uint64_t>(1 << 16);
    std::size_t count = 0;

public:
    bool is_new(std::uint64_t key) {
        key = key ? key : 1;
        std::size_t last = slots.size() - 1, place = key & last;
        for (; slots[place]; place = (place + 1) & last)
            if (slots[place] == key) return false;
        slots[place] = key;
        if (3 * ++count > 2 * last) {
            std::vector<std::uint64_t> old(4 * slots.size());
            old.swap(slots);
            count = 0;
            for (auto one : old)
                if (one) is_new(one);
        }
        return true;
    }
};

struct Level {
    std::vector<Position> steps;
    std::size_t next = 0;
};

void search(const std::string& number, const Position& start, std::uint64_t most) {
    Table seen;
    std::vector<Level> levels{{steps_from(start), 0}};
    std::uint64_t count = 0;
    bool is_found = is_won(start.cells);
    seen.is_new(start.key);
    while (!levels.empty() && !is_found && count <= most) {
        auto& level = levels.back();
        if (level.next == level.steps.size()) {
            levels.pop_back();
            continue;
        }
        const Position position = level.steps[level.next++];
        if (!seen.is_new(position.key) || ++count > most) continue;
        if (is_won(position.cells))
            is_found = true;
        else
            levels.push_back({steps_from(position), 0});
    }
    std::cout << number << (is_found ? " won " : levels.empty() ? " lost " : " unknown ") << std::min(count, most);
    for (auto& level : levels)
        if (is_found && level.next) std::cout << " " << level.next - 1;
    std::cout << std::endl;
}

int main(int, char** arguments) {
    draw_keys();
    std::string number;
    while (std::cin >> number) {
        Position position{};
        for (auto& cell : position.cells) {
            int card;
            std::cin >> card;
            cell = card;
        }
        search(number, position, std::stoull(arguments[1]));
    }
}
