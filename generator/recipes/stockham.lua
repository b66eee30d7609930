-- Passes of small radices, each sorting as it goes (Stockham). Which radices, and
-- in which order, is the whole choice: few passes, cheap codelets, and a first
-- radix that fills whole vectors, because its pass has no other run of columns.
priority = 2

local MAX_LEAVES = 200   -- sets of radices looked at; fewer inside of other plans
local MAX_CHILD_LEAVES = 40
local MAX_DIVISORS = 1000 -- of lengths with more one set is taken: a search would take long
local PASS_COST = 8      -- a pass's loads, stores and addresses, in operations per point
local GPU_PASS_COST = 16 -- on top of it, for the exchange through shared memory
local SETS = { child = 2, gpu = 10, long = 6, short = 20 } -- on GPUs many short threads hide waits better than few long ones
local GPU_LONG = 128     -- points from where on two more than the fewest
local PLANS = { child = 3, gpu = 20, long = 12, short = 40 } -- orders of all of them
local LONG, SHORT_ROW = fft.limit("passes_long"), fft.limit("copied_row")
local SEGMENT = fft.machine.segment_bytes -- bytes that GPUs move at once
local LONG_BLOCK = fft.limit("few_blocks_from")
local IN_SETS = fft.limit("large_last_radix_most")
local LEAST_NARROW = fft.limit("narrow_from")
local LEAST_PRODUCTS = fft.limit("products_from") -- points; of odd rows on GPUs from there on
local WIDE = fft.limit("wide_vectors")
local SHORT_PAIRS, TURNED = fft.limit("interleaved_most"), fft.limit("interleaved_turned_most") -- pairs are taken on CPUs
local TURNED_LANES, TURNED_POINTS = fft.limit("interleaved_wide_lanes"), fft.limit("interleaved_many_points")
local LONGEST_TURNED, LONGEST_WHOLE = fft.limit("interleaved_look"), fft.limit("interleaved_look_whole")
local FEW_REGISTERS = fft.limit("few_registers") -- either form of vectors may leave them less, of few and short passes
local EITHER_FORM, EITHER_POWER = fft.limit("either_form_most"), fft.limit("either_form_power")
local EITHER_TWO = fft.limit("either_form_two") -- and of two passes where registers are many
local EITHER_ORDERS = 16   -- the first ones of a list
local LEAST_PARTS = fft.limit("split_from")
local SHORT_ON_WIDE = fft.limit("half_vectors_most")
local GPU_PRIME, GPU_PRIME_F64 = fft.limit("thread_prime"), fft.limit("thread_prime_f64")
local LONG_RADIX, LONG_RADIX_F64 = fft.limit("alone_radix"), fft.limit("thread_radix_f64") -- of blocks that are alone
local LONG_SETS = 2        -- the most even ones
local EXCHANGES = { [2] = "parts", [4] = "halves" } -- by rounds
local WARP, THREADS = math.max(1, fft.machine.wave), { fft.limit("grouped_threads"), fft.limit("alone_threads") }
local TWIDDLE_COST = 6   -- one complex product per point
local FIRST_COST = { 0, 6, 10, 16 } -- of the first pass by first_rank, per point
local SPILL_COST = 0.25  -- per point and per point above 16 that a codelet holds

-- Real operations: those of the codelet; of lengths that none has, about as many as they would be.
local function ops(r) return fft.ops(r) or 8 * r * math.log(r, 2) end

local function radix_cost(r)
  return ops(r) / r + PASS_COST + TWIDDLE_COST + SPILL_COST * math.max(0, r - 16)
end

-- Radices that divide n, largest first: up to `most`, n's primes, their squares up to `square`, and `also`.
local function radices_of(n, primes, most, square, also)
  local list, seen = {}, {}
  local function add(r)
    if r > most and n % r == 0 and not seen[r] then table.insert(list, r) end
    seen[r] = true
  end
  if also then add(also) end
  for _, p in ipairs(primes) do
    add(p)
    if p * p <= square and n > p * p then add(p * p) end
  end
  table.sort(list, function(a, b) return a > b end)
  for r = most, 2, -1 do
    if n % r == 0 then table.insert(list, r) end
  end
  return list
end

-- All sets of radices (in falling order) with product n and at most `more` passes
-- more than the fewest possible.
local function sets_of(n, radices, leaves, more)
  local fewest = { [1] = 0 }
  local function least(m)
    if not fewest[m] then
      local best = 1000
      for _, r in ipairs(radices) do
        if m % r == 0 then best = math.min(best, 1 + least(m // r)) end
      end
      fewest[m] = best
    end
    return fewest[m]
  end
  local sets, path = {}, {}
  local function walk(m, from, passes)
    if m == 1 then
      table.insert(sets, { table.unpack(path) })
      return
    end
    for i = from, #radices do
      local r = radices[i]
      if #sets >= leaves then return end
      if m % r == 0 and least(m // r) < passes then
        table.insert(path, r)
        walk(m // r, i, passes - 1)
        table.remove(path)
      end
    end
  end
  walk(n, 1, least(n) + more)
  return sets
end

-- One set for lengths with so many divisors that a search would take long: always
-- the largest radix that still divides.
local function greedy_set(n, radices)
  local set = {}
  for _, r in ipairs(radices) do
    while n % r == 0 do
      table.insert(set, r)
      n = n // r
    end
  end
  return set
end

local function divisor_count(primes)
  local count, run = 1, 1
  for i = 1, #primes do
    run = primes[i] == primes[i - 1] and run + 1 or 2
    count = run == 2 and count * 2 or count // (run - 1) * run
  end
  return count
end

-- Puts radix number `first` in front; the others stay in falling order, or rise.
local function ordered(set, first, rising)
  local list = { set[first] }
  for i = 1, #set do
    local k = rising and #set + 1 - i or i
    if k ~= first then table.insert(list, set[k]) end
  end
  return list
end

-- How well radix r suits the first pass on vectors, 1 best: whole vectors of
-- columns and whole vectors for the passes after it, and a power of two, whose
-- exchange between lanes is a transposition in registers.
local function first_rank(r, n, lanes)
  if lanes == 1 then return 1 end
  local wide, power = r >= lanes and n // r >= lanes, r & (r - 1) == 0
  return wide and (power and 1 or 2) or (power and 3 or 4)
end

-- Index of the best first radix of a set: the smallest wide one, else the largest.
local function best_first(set, n, lanes)
  local best, at = 5, 1
  for i, r in ipairs(set) do
    local rank = first_rank(r, n, lanes)
    if rank < best or (rank == best and rank <= 2 and lanes > 1) then best, at = rank, i end
  end
  return at, best
end

-- Index of the smallest radix that fills vectors of pairs, three lanes of four at least, and of the smallest that is
-- whole vectors of them, more than one, behind which the other passes work in place; nil: none. Its pass keeps few
-- results until they are turned.
local function first_of_pairs(set, n, columns)
  local at, whole
  for i, r in ipairs(set) do
    local filled = 3 * columns * ((r + columns - 1) // columns) <= 4 * r
    if r >= columns and n // r >= columns and filled and (not at or r < set[at]) then at = i end
    if r > columns and r % columns == 0 and n // r >= columns and (not whole or r < set[whole]) then whole = i end
  end
  return at, whole
end

-- Index of a radix; nil: there is none.
local function index_of(set, radix)
  for i, r in ipairs(set) do
    if r == radix then return i end
  end
end

-- Adds those of four passes, the smaller radix of the two between first, then the larger: rows of the smaller one would
-- be further apart.
local function add_both(orders, order)
  local a, b = order[2], order[3]
  if a ~= b then table.insert(orders, { order[1], math.min(a, b), math.max(a, b), order[4] }) end
  table.insert(orders, { order[1], math.max(a, b), math.min(a, b), order[4] })
end

-- Of three passes of a power of two also two whole vectors first, then the smallest radix; of four whose radices fall
-- also that first, and both orders of the two between.
local function on_vectors(orders, set, first, n, device)
  local whole = index_of(set, 2 * device.lanes)
  if whole and set[whole] == set[first] then whole = nil end
  if #set == 3 and n & (n - 1) == 0 and whole and set[1] ~= set[2] then
    table.insert(orders, 2, ordered(set, whole, true))
  end
  if #set ~= 4 or orders[1][2] < orders[1][4] then return orders end
  local all = {}
  add_both(all, orders[1])
  if whole then add_both(all, ordered(set, whole, false)) end
  for i = 2, #orders do table.insert(all, orders[i]) end
  return all
end

-- The orders worth a try, best first: on CPUs, of equal price, the largest radix last, but for powers
-- of two whose elements would push each other out of L1's sets.
local function orders_of(set, n, problem, device)
  local first, rank = best_first(set, n, device.lanes)
  local apart = n & (n - 1) ~= 0 or n * (problem.precision == "f64" and 16 or 8) <= IN_SETS
  local rising = not device.gpu and not problem.child and apart
  local orders = { ordered(set, first, rising), ordered(set, first, not rising) }
  if set[first] ~= set[1] then table.insert(orders, ordered(set, 1, false)) end
  local pairs = rank > 1 and not device.gpu and not problem.child and device.lanes >= 4
  local pairs_first, whole
  if pairs then pairs_first, whole = first_of_pairs(set, n, device.lanes // 2) end
  if pairs_first then table.insert(orders, 2, ordered(set, pairs_first, false)) end
  if whole and #set == 3 then
    table.insert(orders, 3, ordered(set, whole, true))
    table.insert(orders, 4, ordered(set, whole, false))
  end
  if device.gpu and 8 * n <= LONG_BLOCK then table.insert(orders, ordered(set, #set, true)) end
  local vectors = not device.gpu and not problem.child and device.lanes > 1
  return vectors and on_vectors(orders, set, first, n, device) or orders
end

-- Through shared memory on the way in and out: short rows that are no whole
-- segments, and two passes, to which two more copies are bearable.
local function wants_copies(problem, set)
  local bytes = problem.points * (problem.precision == "f64" and 16 or 8)
  return #set == 2 and not problem.child and bytes <= SHORT_ROW and bytes % SEGMENT ~= 0
end

-- Between passes, too: what passes through the memory of blocks is half as much, and
-- rounded once more each time.
local function is_narrow(problem, device)
  local halves = problem.precision == "f16" or problem.precision == "bf16"
  return halves and device.gpu and not problem.child and problem.points >= LEAST_NARROW
end

-- Odd rows begin in the middle of segments, and loads and stores are what their blocks wait for: fewer of tables.
local function is_odd_row(problem, device)
  local double = problem.compute == "f64"
  return device.gpu and not problem.child and not double and problem.points % 2 == 1 and problem.points >= LEAST_PRODUCTS
end

-- Vectors half as wide, which fewer columns fill and for which there are three units
-- in place of two.
local function halves_lanes(problem, device)
  local real = problem.compute == "f64" and 8 or 4
  local wide = not device.gpu and device.lanes * real >= WIDE
  return wide and not problem.child and 2 * real * problem.points <= SHORT_ON_WIDE
end

-- Rows that are no whole vectors begin within one in every other pass, too: pairs, half as
-- often. Shorter transforms take pairs anyway.
local function doubts_parts(problem, device, order)
  if device.gpu or problem.child or device.lanes < 4 or order[1] % device.lanes == 0 then return false end
  local bytes = problem.points * (problem.compute == "f64" and 16 or 8)
  local columns = device.lanes // 2
  local whole = #order == 3 and order[1] > columns and order[1] % columns == 0
  local taken = bytes <= TURNED and (order[1] < device.lanes or device.lanes < TURNED_LANES or problem.points <= TURNED_POINTS)
  return bytes <= (whole and LONGEST_WHOLE or LONGEST_TURNED) and bytes > SHORT_PAIRS and not taken
end

-- The form of vectors beside the usual one that is worth a look, nil: none. Pairs are half as many values as parts are,
-- so that large radices find registers, and shuffle more.
local function other_form(problem, device, order, listed)
  if doubts_parts(problem, device, order) then return "interleaved" end
  local vectors = not device.gpu and not problem.child and device.lanes >= 4
  local bytes = problem.points * (problem.compute == "f64" and 16 or 8)
  if not vectors or order[1] % device.lanes ~= 0 or listed > EITHER_ORDERS then return nil end
  if device.registers > FEW_REGISTERS then
    return #order == 2 and bytes > SHORT_PAIRS and bytes <= EITHER_TWO and "interleaved" or nil
  end
  if #order > 3 or bytes > EITHER_FORM or bytes <= LEAST_PARTS then return nil end
  local power = problem.points & (problem.points - 1) == 0
  if power and bytes > EITHER_POWER then return nil end
  return bytes <= SHORT_PAIRS and "split" or "interleaved"
end

-- Five vectors of pairs of floats: a first radix behind which passes of radices with factors of five work in place.
local function first_of_five(n, device)
  local r = 5 * device.lanes // 2
  return device.lanes >= 16 and r <= device.codelet_limit and n // r >= device.lanes and r
end

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.points < 4 then return false end
  local primes = fft.factor(problem.points)
  local gpu = problem.compute == "f64" and GPU_PRIME_F64 or GPU_PRIME
  return #primes > 1 and primes[#primes] <= math.min(device.gpu and gpu or 127, device.codelet_limit)
end

-- Of the fewest radices, the most even ones first.
local function even_sets(n, most)
  local sets, fewest = fft.radices(n, most), 100
  for _, set in ipairs(sets) do fewest = math.min(fewest, #set) end
  local list = {}
  for _, set in ipairs(sets) do
    if #set == fewest then table.insert(list, set) end
  end
  table.sort(list, function(a, b)
    local x, y = a[1] / a[#a], b[1] / b[#b]
    return x < y or (x == y and a[1] < b[1])
  end)
  return list
end

-- Blocks with hardly another one beside them: few passes of long radices, whose factors are products of few, as many
-- threads as the longest radix takes in one iteration, and as have registers for it.
local function long_plans(problem, device, result)
  local n, double = problem.points, problem.compute == "f64"
  local bytes = n * (double and 16 or 8)
  if not device.gpu or problem.child or bytes <= LONG_BLOCK // 2 or bytes > device.local_bytes then return end
  local sets = even_sets(n, math.min(device.codelet_limit, double and LONG_RADIX_F64 or LONG_RADIX))
  for i = 1, math.min(LONG_SETS, #sets) do
    local falling, turn = sets[i], -(-n // sets[i][1] // WARP) * WARP
    local rising = ordered(falling, #falling, true)
    for _, order in ipairs(falling[1] == falling[#falling] and { falling } or { falling, rising }) do
      for _, threads in ipairs({ turn, THREADS[1], THREADS[2] }) do
        local each = n / threads
        if threads <= device.max_threads and each <= falling[1] and each >= falling[#falling] / 2 then
          table.insert(result, { "stockham", threads = threads, products = "on", table.unpack(order) })
        end
      end
    end
  end
end

-- Of more numbers than a block has memory for, where the machine's blocks exchange them in rounds: as many threads as
-- the longest radix takes in one iteration.
local function in_rounds(problem, device, result)
  local n, rounds = problem.points, 1
  local bytes = n * (problem.compute == "f64" and 16 or 8)
  while rounds < fft.machine.rounds and bytes > rounds * device.local_bytes do rounds = 2 * rounds end
  if not device.gpu or problem.child or n & (n - 1) ~= 0 or rounds == 1 or bytes > rounds * device.local_bytes then return end
  for _, most in ipairs({ 16, 32 }) do
    local sets = sets_of(n, radices_of(n, { 2 }, math.min(device.codelet_limit, most), 0), MAX_CHILD_LEAVES, 1)
    table.sort(sets, function(a, b) return #a < #b or (#a == #b and a[1] - a[#a] < b[1] - b[#b]) end)
    local threads = n // sets[1][1]
    if threads <= device.max_threads then
      table.insert(result, { "stockham", threads = threads, exchange = EXCHANGES[rounds], table.unpack(sets[1]) })
    end
  end
end

-- Squares of primes that a codelet of a thread holds. In double on GPUs 25, where blocks have hardly another one beside
-- them, as those with a segment's worth of columns: 625x6250 takes .80 of its time on an H200, but 3000 points 1.27.
local LONGEST_SQUARE, LONGEST_SQUARE_F64 = 64, 25

local function longest_square(problem, short, most)
  if not short then return most > 16 and LONGEST_SQUARE or 0 end
  return problem.points * (problem.child and SEGMENT or 16) > LONG_BLOCK and LONGEST_SQUARE_F64 or 0
end

function plans(problem, device)
  local n = problem.points
  local short = device.gpu and problem.compute == "f64"
  local most = math.min(short and 16 or 32, device.codelet_limit, n // 2)
  local primes = fft.factor(n)
  local radices = radices_of(n, primes, most, longest_square(problem, short, most), not short and not device.gpu and not problem.child and first_of_five(n, device))
  local few, leaves = divisor_count(primes) <= MAX_DIVISORS, problem.child and MAX_CHILD_LEAVES or MAX_LEAVES
  local sets = few and sets_of(n, radices, leaves, device.gpu and n > GPU_LONG and 2 or 1) or { greedy_set(n, radices) }
  for index, set in ipairs(sets) do
    set.cost = index * 1e-9 -- equal costs stay in order
    for _, r in ipairs(set) do set.cost = set.cost + radix_cost(r) end
    local _, rank = best_first(set, n, device.lanes)
    set.cost = set.cost + FIRST_COST[rank]
    if device.gpu then set.cost = set.cost + GPU_PASS_COST * #set end
  end
  table.sort(sets, function(a, b) return a.cost < b.cost end)
  local result, seen = {}, {}
  local size = problem.child and "child" or device.gpu and "gpu" or 8 * n > LONG and "long" or "short"
  local wanted = PLANS[size]
  for i = 1, math.min(#sets, SETS[size]) do
    for _, order in ipairs(orders_of(sets[i], n, problem, device)) do
      local key = table.concat(order, ",")
      if not seen[key] and #result < wanted then
        seen[key] = true
        local narrow, products = is_narrow(problem, device) and "on" or nil, is_odd_row(problem, device) and "on" or nil
        table.insert(result, { "stockham", narrow = narrow, products = products, table.unpack(order) })
        if halves_lanes(problem, device) then
          table.insert(result, { "stockham", lanes = device.lanes // 2, table.unpack(order) })
        end
        local form = other_form(problem, device, order, i)
        if form then table.insert(result, { "stockham", complex_vectors = form, table.unpack(order) }) end
        local short = n * (problem.compute == "f64" and 16 or 8) < LONG_BLOCK -- long ones have products anyway
        if device.gpu and not products and not problem.child and n >= LEAST_PRODUCTS and short then
          table.insert(result, { "stockham", narrow = narrow, products = "on", table.unpack(order) })
        end
        if device.gpu and wants_copies(problem, order) then
          table.insert(result, { "stockham", copies = "on", table.unpack(order) })
        end
      end
    end
  end
  long_plans(problem, device, result)
  in_rounds(problem, device, result)
  return result
end
