/*
 * check_puzzle.c: see the header.
 */
#include "check_puzzle.h"

#include "asked.h"

const char *const puzzle_rule_names[] = {"flow", "strict", "classic"};
static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};

static bool is_label(char c) { return c != '.' && c != '#'; }

void puzzle_blank(struct puzzle *p, int width, int height)
{
    p->width = width;
    p->height = height;
    memset(p->cell, '#', sizeof p->cell);
    for (int y = 1; y <= height; y++)
        memset(&p->cell[y][1], '.', (size_t)width);
}

bool puzzle_parse(struct puzzle *p, const char *text)
{
    puzzle_blank(p, 0, 0);
    for (size_t length; (length = strcspn(text, "/\r\n")) > 0;
         text += length + (text[length] != '\0')) {
        if (length > PUZZLE_SIDE || p->height == PUZZLE_SIDE ||
            (p->height && (size_t)p->width != length))
            return false;
        p->width = (int)length;
        memcpy(&p->cell[++p->height][1], text, length);
    }
    return p->height > 0;
}

bool puzzle_load(struct puzzle *p, const char *file)
{
    static char text[PUZZLE_SIDE * (PUZZLE_SIDE + 2) + 1];
    FILE *in = fopen(file, "r");
    if (!in)
        return false;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return puzzle_parse(p, text);
}

const char *puzzle_query(const struct puzzle *p, char room[static PUZZLE_TEXT])
{
    char *at = room;
    for (int y = 1; y <= p->height; y++) {
        for (int x = 1; x <= p->width; x++)
            at += sprintf(at, p->cell[y][x] == '#' ? "%%23" : "%c", p->cell[y][x]);
        *at++ = '/';
    }
    at[-1] = '\0';
    return room;
}

int puzzle_paths(const struct puzzle *p)
{
    int ends = 0;
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++)
            ends += is_label(p->cell[y][x]);
    return ends / 2;
}

/* ---- judging --------------------------------------------------------------------------------- */

struct judgement {
    const struct puzzle *board;
    char cell[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2]; /* what the paths cover, '.' elsewhere */
    int order[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2]; /* place on its path */
};

static const char *lay_path(struct judgement *j, char label, struct mw_points cells)
{
    if (cells.count < 2)
        return "a path of less than two cells";
    for (int i = 0; i < cells.count; i++) {
        int x = cells.at[i].x + 1, y = cells.at[i].y + 1;
        if (x < 1 || y < 1 || x > j->board->width || y > j->board->height)
            return "a path leaves the board";
        char under = j->board->cell[y][x];
        bool end = i == 0 || i == cells.count - 1;
        if (under != (end ? label : '.'))
            return "a path begins, ends or passes where it must not";
        if (j->cell[y][x] != '.')
            return "two paths share a cell, or one does twice";
        if (i > 0) {
            int dx = cells.at[i].x - cells.at[i - 1].x, dy = cells.at[i].y - cells.at[i - 1].y;
            if (dx * dx + dy * dy != 1)
                return "a path jumps";
        }
        j->cell[y][x] = label;
        j->order[y][x] = i;
    }
    return NULL;
}

static const char *cell_fault(const struct judgement *j, enum puzzle_rule rule, int x, int y,
                              char shown)
{
    char under = j->board->cell[y][x], laid = j->cell[y][x];
    if (shown != (under == '#' ? '#' : laid))
        return "the grid and the paths differ";
    if (is_label(under) && laid != under)
        return "an end without its path";
    if (rule != PUZZLE_CLASSIC && under != '#' && laid == '.')
        return "a cell without a path";
    for (int d = 0; rule == PUZZLE_STRICT && laid != '.' && d < 4; d++) {
        int x2 = x + step_x[d], y2 = y + step_y[d], apart = j->order[y][x] - j->order[y2][x2];
        if (j->cell[y2][x2] == laid && apart != 1 && apart != -1)
            return "a path touches itself";
    }
    return NULL;
}

const char *puzzle_fault(const struct puzzle *board, enum puzzle_rule rule, struct mw_rows rows,
                         const struct mw_rowset *paths)
{
    static struct judgement j;
    j.board = board;
    memset(j.cell, '.', sizeof j.cell);
    if (rows.width != board->width || rows.count != board->height)
        return "a grid of another size";
    if (paths->rows != puzzle_paths(board))
        return "not all paths";
    for (int i = 0; i < paths->rows; i++) {
        const char *label = ((const char **)paths->columns[0])[i];
        struct mw_points cells = ((struct mw_points *)paths->columns[3])[i];
        if (!label[0] || label[1] || ((int32_t *)paths->columns[1])[i] != cells.count)
            return "a wrong label or length";
        const char *fault = lay_path(&j, label[0], cells);
        if (fault)
            return fault;
    }
    for (int y = 1; y <= board->height; y++)
        for (int x = 1; x <= board->width; x++) {
            char shown = rows.at[(size_t)(y - 1) * (size_t)(rows.width + 1) + (size_t)(x - 1)];
            const char *fault = cell_fault(&j, rule, x, y, shown);
            if (fault)
                return fault;
        }
    return NULL;
}

/* ---- promises -------------------------------------------------------------------------------- */

enum puzzle_rule puzzle_rule_of(const char *address)
{
    for (int rule = 0; rule < PUZZLE_RULES; rule++)
        if (asked_is(address, "rule", puzzle_rule_names[rule]))
            return (enum puzzle_rule)rule;
    return PUZZLE_FLOW;
}

static const struct mw_slot *slot(const struct mw_map *map, const char *name)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (size_t i = 0; parts[i].kind != MW_NO_PART; i++)
        if (!strcmp(parts[i].name, name))
            return &map->slots[i];
    return NULL;
}

void puzzle_read(struct puzzle *p, struct mw_rows rows)
{
    puzzle_blank(p, rows.width, rows.count);
    for (int y = 0; y < p->height; y++)
        memcpy(&p->cell[y + 1][1], rows.at + (size_t)y * (size_t)(rows.width + 1),
               (size_t)p->width);
}

/* Steps from the first end of a path to all other cells, past walls and other ends: rounds over the
   whole board until none changes. */
static int shortest_by_rounds(const struct puzzle *p, char label)
{
    static int steps[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2];
    int last_x = 0, last_y = 0;
    memset(steps, 0, sizeof steps);
    for (int y = p->height; y >= 1; y--)
        for (int x = p->width; x >= 1; x--)
            if (p->cell[y][x] == label) {
                last_x = last_x ? last_x : x;
                last_y = last_y ? last_y : y;
                steps[y][x] = x == last_x && y == last_y ? 0 : 1;
            }
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = 1; y <= p->height; y++)
            for (int x = 1; x <= p->width; x++)
                for (int d = 0; d < 4; d++) {
                    int before = steps[y + step_y[d]][x + step_x[d]];
                    if ((p->cell[y][x] != '.' && p->cell[y][x] != label) || !before ||
                        (steps[y][x] && steps[y][x] <= before + 1))
                        continue;
                    steps[y][x] = before + 1;
                    changed = true;
                }
    }
    return steps[last_y][last_x];
}

/* `shortest` of each path, and what they leave free. */
static const char *shortest_fault(const struct puzzle *board, const struct mw_rowset *paths,
                                  int32_t left)
{
    for (int y = 1; y <= board->height; y++)
        for (int x = 1; x <= board->width; x++)
            left -= board->cell[y][x] != '#';
    for (int i = 0; i < paths->rows; i++) {
        int32_t shortest = ((int32_t *)paths->columns[2])[i];
        if (shortest != shortest_by_rounds(board, ((const char **)paths->columns[0])[i][0]) ||
            shortest > ((int32_t *)paths->columns[1])[i])
            return "a way is said to be the shortest and is not";
        left += shortest;
    }
    return left ? "another number of cells is free" : NULL;
}

/* A board with one solution has a difficulty. */
static const char *difficulty_fault(const struct mw_map *map)
{
    bool unique = slot(map, "unique")->as.value.integer == 1;
    int32_t difficulty = slot(map, "difficulty")->as.value.integer,
            deductions = slot(map, "deductions")->as.value.integer,
            effort = slot(map, "effort")->as.value.integer;
    if ((difficulty != MW_NULL) != unique || (deductions != MW_NULL) != unique ||
        (effort != MW_NULL) != unique)
        return "a difficulty where there is not one solution, or none where there is";
    return unique && (difficulty < 0 || difficulty > 3 || deductions < 0 || effort < 0 ||
                      effort > 100)
               ? "an odd difficulty"
               : NULL;
}

/* Two neighbours, or none, and a sentence; nothing of the solution. */
static const char *hint_fault(const struct mw_map *map, const struct puzzle *board)
{
    const struct mw_rowset *hint = &slot(map, "hint")->as.table;
    struct mw_points cells = ((struct mw_points *)hint->columns[0])[0];
    if (slot(map, "paths")->as.table.rows || slot(map, "grid")->as.value.rows.count)
        return "a hint and the solution";
    if (hint->rows != 1 || !((const char **)hint->columns[1])[0][0])
        return "a hint without words";
    if (!cells.count)
        return NULL;
    int dx = cells.at[0].x - cells.at[1].x, dy = cells.at[0].y - cells.at[1].y;
    for (int i = 0; i < cells.count; i++)
        if (board->cell[cells.at[i].y + 1][cells.at[i].x + 1] == '#')
            return "a hint of a wall";
    return cells.count != 2 || dx * dx + dy * dy != 1 ? "a hint of others than two neighbours"
                                                      : NULL;
}

static const char *solve_fault(const struct mw_map *map, const char *address)
{
    static struct puzzle board;
    char *grid = asked_text(address, "grid");
    bool read = grid && puzzle_parse(&board, grid);
    free(grid);
    if (!read)
        return "the board is none";
    const struct mw_slot *count = slot(map, "solutions");
    int32_t unique = slot(map, "unique")->as.value.integer;
    struct mw_rows rows = slot(map, "grid")->as.value.rows;
    bool hint = asked_is(address, "hint", "true");
    bool solved = !slot(map, "status")->as.value.integer;
    if (slot(map, "hint")->present != hint)
        return "a hint that was not asked, or none that was";
    if (!solved && (!count->present || strcmp(count->as.value.string, "0")))
        return "unsolvable, but the solutions are not 0";
    if (hint)
        return hint_fault(map, &board);
    if (difficulty_fault(map))
        return difficulty_fault(map);
    if (solved && count->present != asked_is(address, "count", "exact"))
        return "solutions are counted when they should not be, or not when they should";
    const char *number = count->present ? count->as.value.string : NULL;
    if (slot(map, "reason")->present != (count->present && !number))
        return "not counted without a reason, or counted with one";
    if (number && (unique == 1) != !strcmp(number, "1"))
        return "unique and solutions differ";
    int32_t left = slot(map, "free")->as.value.integer;
    if (solved) {
        const char *fault = shortest_fault(&board, &slot(map, "paths")->as.table, left);
        return fault ? fault
                     : puzzle_fault(&board, puzzle_rule_of(address), rows,
                                    &slot(map, "paths")->as.table);
    }
    if (unique != 0 || left != MW_NULL || rows.count || slot(map, "paths")->as.table.rows)
        return "unsolvable, with a solution";
    return NULL;
}

/* Two cells of each label and no walls. */
static bool ends_in_pairs(const struct puzzle *p)
{
    int count[128] = {0};
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++)
            count[p->cell[y][x] & 127]++;
    for (int c = 0; c < 128; c++)
        if (c != '.' && count[c] && (c == '#' || count[c] != 2))
            return false;
    return true;
}

static const char *generate_fault(const struct mw_map *map, const char *address)
{
    static struct puzzle board;
    const struct mw_rowset *paths = &slot(map, "paths")->as.table;
    puzzle_read(&board, slot(map, "grid")->as.value.rows);
    if (board.width != asked_number(address, "width", 0) ||
        board.height != asked_number(address, "height", 0))
        return "a board of another size";
    long colours = asked_number(address, "colors", 0);
    if (!ends_in_pairs(&board) || puzzle_paths(&board) != slot(map, "colors")->as.value.integer ||
        (colours >= 0 && puzzle_paths(&board) != colours))
        return "another number of paths";
    for (int i = 0; i < paths->rows; i++)
        if (((int32_t *)paths->columns[1])[i] < asked_number(address, "min_length", 0))
            return "a path that is too short";
    if (asked_is(address, "unique", "true") && slot(map, "unique")->as.value.integer != 1)
        return "not unique";
    if (difficulty_fault(map))
        return difficulty_fault(map);
    static const char *const difficulties[] = {"easy", "normal", "hard", "extreme"};
    for (int i = 0; i < 4; i++)
        if (asked_is(address, "difficulty", difficulties[i]) &&
            slot(map, "difficulty")->as.value.integer != i)
            return "another difficulty";
    const char *fault = shortest_fault(&board, paths, slot(map, "free")->as.value.integer);
    if (fault)
        return fault;
    return puzzle_fault(&board, puzzle_rule_of(address), slot(map, "solution")->as.value.rows,
                        paths);
}

const char *check_puzzle(const struct mw_map *map, char *why, size_t room)
{
    bool solve = !strcmp(map->request->generator->name, "puzzle/solve");
    const char *address = map->request->address;
    const char *fault = solve ? solve_fault(map, address) : generate_fault(map, address);
    if (!fault)
        return NULL;
    snprintf(why, room, "%s", fault);
    return why;
}

/* ---- counting by brute force ----------------------------------------------------------------- */

/* Paths are walked one after the other, in the order of their first ends, over cells that are still
   free. */
struct brute {
    char cell[PUZZLE_SIDE + 2]
             [PUZZLE_SIDE + 2]; /* the label where a path has been, '.' where it is free */
    char board[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2];
    int starts[PUZZLE_SIDE * PUZZLE_SIDE][2], paths, free, touches;
    uint64_t steps, most, *counts;
    struct puzzle_links *links;                        /* NULL: not wanted */
    signed char way[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2]; /* that a path took from a cell, -1 */
};

/* A solution under the rule: its links. */
static void add_links(struct brute *b, int rule)
{
    for (int y = 1; y <= PUZZLE_SIDE; y++)
        for (int x = 1; x <= PUZZLE_SIDE; x++) {
            int d = b->way[y][x];
            if (d >= 0)
                b->links->with[rule][y - (d == 3)][x - (d == 2)][d & 1]++;
        }
}

static int label_neighbours(const struct brute *b, int x, int y, char label)
{
    int n = 0;
    for (int d = 0; d < 4; d++)
        n += b->cell[y + step_y[d]][x + step_x[d]] == label;
    return n;
}

static void walk(struct brute *b, int path, int x, int y);

static void start(struct brute *b, int path)
{
    if (path < b->paths) {
        int x = b->starts[path][0], y = b->starts[path][1];
        b->cell[y][x] = b->board[y][x];
        walk(b, path, x, y);
        b->cell[y][x] = '*'; /* an end that no path has reached */
        return;
    }
    b->counts[PUZZLE_CLASSIC]++;
    b->counts[PUZZLE_FLOW] += b->free == 0;
    b->counts[PUZZLE_STRICT] += b->free == 0 && b->touches == 0;
    if (!b->links)
        return;
    add_links(b, PUZZLE_CLASSIC);
    if (b->free == 0)
        add_links(b, PUZZLE_FLOW);
    if (b->free == 0 && b->touches == 0)
        add_links(b, PUZZLE_STRICT);
}

static void walk(struct brute *b, int path, int x, int y)
{
    char label = b->board[b->starts[path][1]][b->starts[path][0]];
    if (++b->steps > b->most)
        return;
    for (int d = 0; d < 4; d++) {
        int x2 = x + step_x[d], y2 = y + step_y[d];
        bool end = b->cell[y2][x2] == '*' && b->board[y2][x2] == label;
        if (!end && b->cell[y2][x2] != '.')
            continue;
        int touches = label_neighbours(b, x2, y2, label) - 1;
        char before = b->cell[y2][x2];
        b->cell[y2][x2] = label;
        b->touches += touches;
        b->free -= !end;
        b->way[y][x] = (signed char)d;
        if (end)
            start(b, path + 1);
        else
            walk(b, path, x2, y2);
        b->free += !end;
        b->touches -= touches;
        b->cell[y2][x2] = before;
    }
    b->way[y][x] = -1;
}

bool puzzle_brute(const struct puzzle *p, uint64_t steps, uint64_t counts[static PUZZLE_RULES],
                  struct puzzle_links *links)
{
    static struct brute b;
    memset(&b, 0, sizeof b);
    memset(b.way, -1, sizeof b.way);
    b.links = links;
    if (links)
        memset(links, 0, sizeof *links);
    memset(counts, 0, PUZZLE_RULES * sizeof *counts);
    memcpy(b.board, p->cell, sizeof b.board);
    memcpy(b.cell, p->cell, sizeof b.cell);
    b.most = steps;
    b.counts = counts;
    bool seen[128] = {false};
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++) {
            char c = p->cell[y][x];
            b.free += c == '.';
            if (!is_label(c))
                continue;
            b.cell[y][x] = '*';
            if (!seen[c & 127]) {
                b.starts[b.paths][0] = x;
                b.starts[b.paths++][1] = y;
            }
            seen[c & 127] = true;
        }
    start(&b, 0);
    return b.steps <= b.most;
}
