-- Transforms that do not fit near memory: n = n1 n2, columns and rows in tiles, the
-- large memory passed twice (Bailey's four-step method). On GPUs whatever a block
-- cannot hold; on CPUs from the sizes on where caches run out. Where blocks of a
-- cluster reach each other's memory, in one kernel as far as that holds a transform, and
-- beyond it in two kernels of such clusters; or in two kernels whose blocks stay, so that
-- what is between them need not leave L2.
priority = 3

local CPU_LEAST = fft.limit("tiles_from")
local F64_LEAST = fft.limit("tiles_from_f64") -- one plan of each split, and none with little planning effort
local F64_PRIME = 13       -- largest prime of such lengths: longer codelets turn in no registers
local CPU_MOST = fft.limit("workspace_points")
local SEGMENT = fft.machine.segment_bytes -- bytes that GPUs move at once,
local SECTOR = fft.machine.sector_bytes   -- and at least: a block had better hold as many neighbouring columns
local MOST_SPLITS = 3      -- nearest to the square root: others are slower at any length
local MOST_SIDES = 3       -- on CPUs, plans for either side of a split
local MOST_ORDERS = 2      -- where both are whole vectors, plans for the columns
local MOST_TURNED = 49     -- points of columns by one codelet
local MOST_SHORT_TURNED = 16 -- the same of transforms for which one plan of each split is looked at
local MOST_UNEQUAL = fft.limit("unequal_sides")
local MOST_FACTOR = 127    -- longest codelet
local LEAST_RING = 3       -- transforms: one is written, one is read, one is between
local SMALL_RADIX = 16     -- radix of whose codelet any thread and vector registers hold all
local FEW_ROWS = fft.limit("l1_set_lines") -- of a power of two apart
local MOST_RADIX = 40      -- of passes on GPUs that are to be few
local PART, MOST_PART = fft.limit("cluster_part"), fft.limit("cluster_part_most")
local MOST_CLUSTERS = 4    -- sizes of clusters that are looked at
local MOST_OBLONG = 2      -- columns over rows
local LEAST_CLUSTER = 4    -- blocks: smaller clusters hold what a block nearly does
local HALVES_CLUSTER = 8   -- the same of halves, whose parts are half as long
local BALANCED, MANY_BLOCKS = fft.limit("balanced_cluster"), fft.limit("balanced_from")
local QUEUE_BLOCK, QUEUE_RING = fft.limit("queue_block"), fft.limit("queue_ring")
local QUEUE_SLOTS, QUEUE_TILE = fft.limit("queue_slots"), fft.limit("queue_tile")
local QUEUE_DISTANCE = fft.limit("queue_distance")
local QUEUE_ALONE = fft.limit("queue_alone")
local ALONE_RADICES = { 32, 16 }
local ALONE_AHEAD = fft.limit("queue_alone_ahead")
local THREAD_POINTS = 32   -- of halves: two iterations of a thread share their twiddle factors
local HALVES_THREADS = fft.limit("halves_threads")
local SYSTEM = fft.limit("block_system")
local MOST_BLOCKS = fft.limit("resident_most")

local function element_bytes(problem) return problem.precision == "f64" and 16 or 8 end

-- Of elements with strides between them, transforms so few that blocks of a sector's width leave most multiprocessors idle:
-- shorter ones, too, in two kernels.
local FEW_PART = 8 -- shared memory over what such a block takes of it, at most

local function are_few(problem, device)
  local rows, sectors = problem.unit_in and problem.unit_out, problem.batch * element_bytes(problem) // SECTOR
  local few = not rows and not problem.batch_varies and 2 * sectors < fft.machine.multiprocessors
  return few and problem.points * SECTOR * FEW_PART > device.local_bytes
end

local function is_long(problem, device)
  local n, rows = problem.points, problem.unit_in and problem.unit_out
  return n * element_bytes(problem) > device.local_bytes / 2 or not rows and n * SECTOR > device.local_bytes
end

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.child or n < 64 then return false end
  local primes = fft.factor(n)
  if primes[#primes] > MOST_FACTOR then return false end
  if device.gpu then return is_long(problem, device) or problem.along ~= nil or are_few(problem, device) end
  local bytes = n * element_bytes(problem)
  local short = problem.precision == "f64" and bytes >= F64_LEAST and primes[#primes] <= F64_PRIME
  return (short or bytes >= CPU_LEAST) and n * problem.batch <= CPU_MOST
end

-- Divisors n1 of n, nearest to the square root first; both factors multiples of
-- `unit` before others.
local function splits(n, unit)
  local list = {}
  for d = 2, math.floor(math.sqrt(n)) do
    if n % d == 0 then
      table.insert(list, d)
      if n // d ~= d then table.insert(list, n // d) end
    end
  end
  local root = math.sqrt(n)
  local function misfit(d)
    local bad = (d % unit ~= 0 and 1 or 0) + (n // d % unit ~= 0 and 1 or 0)
    return bad * 100 + math.abs(math.log(d / root)) + (d < root and 0.1 or 0)
  end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  return list
end

-- CPUs: vectors fit into either side, and neither factor is long. Columns that are no whole
-- vectors leave rows across lines: they had better be the shorter side.
local function suits(device, n1, n2)
  local least, most = math.min(n1, n2), math.max(n1, n2)
  return least >= device.lanes and most <= MOST_UNEQUAL * least and (n1 <= n2 or n1 % device.lanes == 0)
end

local function simple_plan(n)
  for _, plan in ipairs(fft.plans(n)) do
    if plan[1] == "stockham" or plan[1] == "direct" then return plan end
  end
end

-- Columns on CPUs: one codelet that is not too long to be turned around in registers, or few passes.
local function column_plans(n, most, turned)
  local list, fewest = {}, 100
  for _, plan in ipairs(fft.plans(n)) do
    local passes = plan[1] == "stockham" and #plan <= fewest
    if passes then fewest = #plan end
    if (passes or (plan[1] == "direct" and n <= (turned or MOST_TURNED))) and #list < most then table.insert(list, plan) end
  end
  return list
end

-- Rows on CPUs, which are whole vectors at any rate: of two radices the smaller one first, which is
-- the one that turns. One codelet would want a factor for every element, from a table of all of them.
local function row_plans(n, most)
  local list, seen = {}, {}
  for _, plan in ipairs(column_plans(n, 100)) do
    local radices = { table.unpack(plan, 2) }
    if #radices == 2 then table.sort(radices) end
    local key = table.concat(radices, ",")
    if plan[1] == "stockham" and not seen[key] and #list < most then
      table.insert(list, { "stockham", table.unpack(radices) })
      seen[key] = true
    end
  end
  return #list > 0 and list or column_plans(n, 1)
end

-- Few passes of about equal radices: a thread holds as many points in all of them.
local function even_plan(n, most)
  local best, least
  for _, radices in ipairs(fft.radices(n, most)) do
    local cost = #radices * 100 + radices[1] - radices[#radices]
    if not least or cost < least then best, least = { "stockham", table.unpack(radices) }, cost end
  end
  return best
end

-- More passes than the fewest, for CPUs whose L2 is small. Columns whose first radix takes few rows at a time:
-- elements a power of two apart share a set, and lines are fetched ahead only as far as that has room. Rows by radices that
-- few registers hold beside the factors. nil: that is in the list.
local longer = {}

local function begun_by_few(n, list)
  for _, plan in ipairs(list) do
    if plan[1] == "stockham" and plan[2] <= FEW_ROWS then return nil end
  end
  for _, plan in ipairs(fft.plans(n)) do
    if plan[1] == "stockham" and plan[2] <= FEW_ROWS then
      longer[plan] = true
      return plan
    end
  end
end

local function by_small_radices(n, list)
  local plan = even_plan(n, SMALL_RADIX)
  if not plan or #plan ~= 4 or #list == 0 or #list[1] ~= 3 then return nil end
  longer[plan] = true
  return plan
end

-- A long codelet is as much as two passes.
local function passes_of(plan) return plan[1] == "direct" and 2 or #plan - 1 end

-- Of one split: several plans for either side where vectors do not divide both, else for columns.
local function split_plans(problem, device, n1, n2, one)
  local result, whole = {}, n1 % device.lanes == 0 and n2 % device.lanes == 0
  if whole or one then
    local rows, list = row_plans(n2, 1), column_plans(n1, one and 1 or MOST_ORDERS, one and MOST_SHORT_TURNED)
    local beyond = problem.points * element_bytes(problem) >= device.cache[2]
    if not one and device.small_l2 and beyond then
      list[#list + 1] = begun_by_few(n1, list)
      rows[#rows + 1] = by_small_radices(n2, rows)
    end
    for _, columns in ipairs(list) do
      for _, row in ipairs(rows) do table.insert(result, { "four-step", columns, row }) end
    end
    return result
  end
  local rows = row_plans(n2, MOST_SIDES)
  for _, columns in ipairs(column_plans(n1, MOST_SIDES)) do
    for _, row in ipairs(rows) do table.insert(result, { "four-step", columns, row }) end
  end
  return result
end

local function cpu_plans(problem, device)
  local result, few, fewest, count = {}, {}, 100, 0
  local one = problem.points * element_bytes(problem) < CPU_LEAST
  for _, n1 in ipairs(splits(problem.points, device.lanes)) do
    local taken = not one or n1 % device.lanes == 0 -- rows that begin with a line
    if taken and count < MOST_SPLITS and suits(device, n1, problem.points // n1) then
      local list = split_plans(problem, device, n1, problem.points // n1, one)
      for _, plan in ipairs(list) do
        fewest = math.min(fewest, passes_of(plan[2]) + passes_of(plan[3]))
        table.insert(result, plan)
      end
      count = count + (#list > 0 and 1 or 0)
    end
  end
  for _, plan in ipairs(result) do
    if longer[plan[2]] or longer[plan[3]] or passes_of(plan[2]) + passes_of(plan[3]) == fewest then table.insert(few, plan) end
  end
  return few
end

-- Of tiles half a segment wide: two passes of large radices, the larger one outside. They
-- leave threads the registers for that.
local function half_wide_plan(problem, device, unit)
  local n1 = device.gpu and unit > 1 and splits(problem.points, unit // 2)[1]
  if not n1 or (n1 % unit == 0 and problem.points // n1 % unit == 0) then return end
  local function two(n)
    for _, radices in ipairs(fft.radices(n, MOST_RADIX)) do
      if #radices == 2 and radices[1] < 2 * radices[2] then return radices end
    end
  end
  local columns, rows = two(n1), two(problem.points // n1)
  if not columns or not rows then return end
  return { "four-step", { "stockham", columns[1], columns[2] }, { "stockham", rows[2], rows[1] } }
end

local function is_half(problem) return problem.precision == "f16" or problem.precision == "bf16" end

-- Clusters whose blocks hold a transform, those of the usual part first.
local function clusters_of(problem, device)
  local bytes, list = problem.points * element_bytes(problem), {}
  for c = is_half(problem) and HALVES_CLUSTER or LEAST_CLUSTER, device.cluster do
    if problem.points % (c * c) == 0 and bytes <= c * MOST_PART then table.insert(list, c) end
  end
  local function misfit(c) return math.abs(math.log(bytes / c / PART)) end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  return list
end

-- Blocks of a multiprocessor, by memory.
local function room_for(device, part) return math.max(1, math.min(MOST_BLOCKS, device.local_bytes // (part + SYSTEM))) end

-- A block more than threads mostly have registers for, too, where memory has room: 34300 points on an H200 took 277 us by
-- a queue, which the model chose before three blocks, and 212 by four.
local function clustered(problem, device, c, columns, rows, more)
  local double, part = problem.compute == "f64", problem.points * element_bytes(problem) // c
  local long = columns[2] > 8 -- in double such codelets leave no registers for a fifth block
  local resident = part > PART and (double and 2 or 3) or double and (long and 4 or 5) or c == 8 and 5 or 4
  local plan = { "four-step", columns, rows, cluster = c, resident = math.min(resident + more, room_for(device, part)) }
  if c <= BALANCED and problem.batch * c >= MANY_BLOCKS then plan.cluster_scheduling = "load_balancing" end
  if is_half(problem) then
    plan.narrow, plan.threads, plan.steps = "on", problem.points // c // THREAD_POINTS, "all"
    plan.resident = fft.blocks(HALVES_THREADS // plan.threads)
  end
  return plan
end

-- Rows at least as long as columns, or nearly: what a block reads at once is longer then.
local function cluster_plans(problem, device, result)
  if not device.gpu or device.cluster < LEAST_CLUSTER or problem.in_place then return end
  local double, all = problem.compute == "f64", splits(problem.points, SEGMENT // element_bytes(problem))
  for i, c in ipairs(clusters_of(problem, device)) do
    local taken = 0
    for _, n1 in ipairs(i <= MOST_CLUSTERS and all or {}) do
      local n2 = problem.points // n1
      local fits = taken < MOST_SPLITS and n1 <= MOST_OBLONG * n2 and n1 % c == 0 and n2 % c == 0
      local columns, rows = fits and even_plan(n1, double and 16 or 32), fits and even_plan(n2, double and 16 or 32)
      if columns and rows then
        taken = taken + 1
        table.insert(result, clustered(problem, device, c, columns, rows, 0))
        table.insert(result, clustered(problem, device, c, columns, rows, 1))
      end
    end
  end
end

-- A side's transforms, a segment's worth of neighbours at a time, by the largest
-- cluster that can: each block ends with a segment's worth of rows.
local function part_plan(problem, device, n, unit)
  local double = problem.compute == "f64"
  for c = device.cluster, 2, -1 do
    local columns, rows, part = unit * c, n // (unit * c), n * unit * element_bytes(problem) // c
    if n % columns == 0 and rows % c == 0 and part <= MOST_PART then
      local first, last = even_plan(columns, 16), even_plan(rows, double and 16 or 32)
      local resident = math.min(MOST_BLOCKS, part > PART and not double and 3 or 4 * PART // part)
      if first and last then return { "four-step", first, last, cluster = c, resident = resident } end
    end
  end
end

-- Columns by clusters, then rows by clusters or in blocks.
local function pair_plans(problem, device, unit, result)
  if not device.gpu or device.cluster < LEAST_CLUSTER or problem.in_place then return end
  local first = #result
  for _, n1 in ipairs(splits(problem.points, unit)) do
    local n2 = problem.points // n1
    local columns, rows, plain = part_plan(problem, device, n1, unit), part_plan(problem, device, n2, unit), simple_plan(n2)
    if columns and rows then table.insert(result, { "four-step", columns, rows }) end
    if columns and plain then table.insert(result, { "four-step", columns, plain }) end
    if #result >= first + MOST_SPLITS then return end
  end
end

-- Two kernels of small blocks as one, whose blocks stay: both sides by two radices, as
-- many points a thread in all of them.
local function queue_plan(problem, device, unit)
  local element, bytes = element_bytes(problem), problem.points * element_bytes(problem)
  local ring = math.min(QUEUE_RING // bytes, QUEUE_SLOTS)
  if not device.queue or problem.compute == "f64" or ring < 3 or problem.batch < 2 * ring then return end
  for _, n1 in ipairs(splits(problem.points, unit)) do
    local n2, block, one = problem.points // n1, QUEUE_BLOCK, QUEUE_BLOCK // element
    -- Segments in halves on both sides: blocks twice as large, one a multiprocessor, if their tiles fit.
    local large = one // math.min(n1, n2) * element < SEGMENT and device.local_bytes >= 9 * QUEUE_BLOCK // 4
    large = large and n2 % (2 * one // n1) == 0 and n1 % (2 * one // n2) == 0
    if large then block = 2 * QUEUE_BLOCK end
    local tile, rows = block // (n1 * element), block // (n2 * element)
    local columns, lines = even_plan(n1, MOST_RADIX), even_plan(n2, MOST_RADIX)
    local few = columns and lines and #columns == 3 and #lines == 3
    if few and math.min(tile, rows) * element >= QUEUE_TILE and n2 % tile == 0 and n1 % rows == 0 then
      local threads = block // element // THREAD_POINTS
      local plan = { "four-step", columns, lines, tile = tile, rows = rows, threads = threads, resident = 2 }
      plan.queue, plan.deferred_wait = ring, "next"
      if large then
        plan.resident, plan.products, plan.frequency, plan.deferred_wait = 1, "on", "on", nil
      end
      local distance, room = fft.ring(n2 // tile, n1 // rows, plan.resident)
      if distance then
        plan.swap, plan.queue, plan.prefetch_distance = "on", room, distance
      elseif large then
        plan.prefetch_distance = math.min(n2 // tile + QUEUE_DISTANCE, n2 // tile * (ring - 1))
      end
      return plan
    end
  end
end

-- The same by one large block a multiprocessor, of which L2 has room for two transforms or more: also where sides take
-- three passes, and in double. By the longest radices, and by such as leave registers.
local function alone_queue_plans(problem, device, unit, result)
  local element, bytes, block = element_bytes(problem), problem.points * element_bytes(problem), 2 * QUEUE_BLOCK
  if not device.queue or device.local_bytes < block or 2 * bytes > 2 * QUEUE_RING or bytes < QUEUE_ALONE then return end
  for _, n1 in ipairs(splits(problem.points, unit)) do
    local n2 = problem.points // n1
    local tile, rows = block // (n1 * element), block // (n2 * element)
    local tiles = n2 // math.max(1, tile)
    local distance, room = fft.ring(math.max(1, tiles), math.max(1, n1 // math.max(1, rows)), 1, tiles + ALONE_AHEAD)
    local fits = math.min(tile, rows) * element >= QUEUE_TILE and n2 % tile == 0 and n1 % rows == 0 and distance
    if fits and room * bytes <= 2 * QUEUE_RING and problem.batch >= 2 * room then
      for _, most in ipairs(ALONE_RADICES) do
        local columns, lines = even_plan(n1, most), even_plan(n2, most)
        local points = math.max(columns[2], lines[2])
        local plan = { "four-step", columns, lines, tile = tile, rows = rows, threads = block // element // points }
        plan.resident, plan.products, plan.frequency = 1, "on", "on"
        plan.queue, plan.swap, plan.prefetch_distance, plan.deferred_wait = room, "on", distance, "next"
        table.insert(result, plan)
      end
      return
    end
  end
end

-- Any factorisation: tiles of both kernels as large as blocks may be, in whole sectors: divisors, and where these are much
-- smaller, tiles that do not divide. As two kernels, and, where L2 holds several transforms, as one whose blocks stay.
local TILE_BLOCKS = { fft.limit("tile_block"), fft.limit("tile_block_large") }
local TILE_RADIX, TILE_RADIX_F64 = fft.limit("thread_radix"), fft.limit("thread_radix_f64")
local LONGER_RADIX_F64 = 28 -- where no split has three passes of shorter ones
local TILE_PRIME = fft.limit("thread_prime")
local TILE_POINTS = { 32, 16 } -- of a thread
local TILE_REGISTERS = { fft.limit("tile_registers"), fft.limit("tile_registers_less") } -- for so many points
local TILE_WARP = math.max(1, fft.machine.wave)
local TILE_RING, TILE_MOST = fft.limit("tile_ring"), fft.limit("tile_ring_transforms")
local TILE_SPLITS = 3 -- the best by passes and shape
local LONGEST_SIDE = fft.limit("tile_side_most")
local SPARE = 1.25 -- room for a tile over the tile, from which on another one is looked at

local function rising(plan)
  if plan[1] ~= "stockham" then return plan end
  local list = { plan[1] }
  for i = #plan, 2, -1 do table.insert(list, plan[i]) end
  return list
end

-- The innermost plan of a chain around it.
local function innermost(plan)
  while plan[1] == "cooley-tukey" do plan = plan[3] end
  return plan
end

local IS_INNERMOST = { dense = true, rader = true }
local INNERMOST = { "dense", "rader" } -- the first that there is

local function innermost_plan(p)
  for _, step in ipairs(INNERMOST) do
    for _, inner in ipairs(fft.plans(p)) do
      if inner[1] == step then return inner end
    end
  end
end

-- Passes of n points side by side; a prime that no thread holds is innermost, as a convolution or shared out to
-- threads. And how many.
local function side_plan(n, most)
  local primes = fft.factor(n)
  local p = primes[#primes] or 1
  local held = p < SMALL_RADIX or (fft.holders(p) or 1) == 1
  local passes = p <= TILE_PRIME and held and even_plan(n, math.max(most, p))
  if passes then return #passes == 2 and { "direct", n } or passes, #passes - 1 end
  local inner = innermost_plan(p)
  local chain = inner and (n == p and { "" } or even_plan(n // p, SMALL_RADIX))
  for i = chain and #chain or 0, 2, -1 do inner = { "cooley-tukey", chain[i], inner } end
  if chain then return inner, #chain + 3 end
end

local function divisor_tile(other, most, unit)
  local best
  for t = 1, most do
    if other % t == 0 and (not best or t % unit == 0 or best % unit ~= 0) then best = t end
  end
  return best
end

-- At least half as wide as there is room for, with the fewest columns that are none.
local function uneven_tile(other, most, unit)
  local best, least
  for t = most // unit * unit, math.max(unit, most // 2), -unit do
    local done = (other + t - 1) // t * t
    if not least or done < least then best, least = t, done end
  end
  return best
end

-- The tiles of both sides: those that divide, then, where they are other ones, those that need not. Narrow ones are none.
local function tiles_of(problem, s, block)
  local element, unit = element_bytes(problem), math.max(1, SECTOR // element_bytes(problem))
  local most, most_rows = math.min(s.n2, block // (s.n1 * element)), math.min(s.n1, block // (s.n2 * element))
  local list, tile, rows = {}, divisor_tile(s.n2, most, unit), divisor_tile(s.n1, most_rows, unit)
  local function add(columns, lines, uneven)
    local narrow = not columns or not lines or math.min(columns, lines) < unit
    if not narrow then table.insert(list, { columns = columns, rows = lines, uneven = uneven }) end
  end
  local function poor(t, room) return not t or t % unit ~= 0 or SPARE * t < room end
  add(tile, rows)
  local other = poor(tile, most) and uneven_tile(s.n2, most, unit) or tile
  local other_rows = poor(rows, most_rows) and uneven_tile(s.n1, most_rows, unit) or rows
  if other ~= tile or other_rows ~= rows then add(other, other_rows, "on") end
  return list
end

-- Of both sides, best first: few passes, about equal, in whole segments.
local function sides(problem, unit, most)
  local list, n, element = {}, problem.points, element_bytes(problem)
  for _, n1 in ipairs(splits(n, unit)) do
    local n2 = n // n1
    if math.max(n1, n2) * SECTOR <= LONGEST_SIDE and math.min(n1, n2) >= SMALL_RADIX and #list < 4 * TILE_SPLITS then
      local columns, first = side_plan(n1, most)
      local rows, second = side_plan(n2, most)
      -- Rows begin with the factors between the parts, which neither kind of prime takes.
      if columns and rows and not IS_INNERMOST[innermost(rows)[1]] then
        local parts = (n1 % unit ~= 0 and 1 or 0) + (n2 % unit ~= 0 and 1 or 0)
        local misfit = first + second + 0.6 * parts + 0.6 * math.abs(math.log(n1 / n2))
        table.insert(list, { columns = columns, rows = rows, n1 = n1, n2 = n2, misfit = misfit })
      end
    end
  end
  table.sort(list, function(a, b) return a.misfit < b.misfit or (a.misfit == b.misfit and a.n1 < b.n1) end)
  return { table.unpack(list, 1, TILE_SPLITS) }
end

-- Points of a thread: a long prime's codelet has all of its own.
local function points_of(problem, s)
  local list, longest = {}, 0
  for _, plan in ipairs({ s.columns, s.rows }) do
    for i = 2, #plan do longest = math.max(longest, math.type(plan[i]) == "integer" and plan[i] or 0) end
  end
  for i, points in ipairs(TILE_POINTS) do list[i] = points * 8 // element_bytes(problem) end
  if longest > list[1] then table.insert(list, 1, longest) end
  return list
end

local function tiled_plan(problem, device, s, tiles, block, points)
  local most = math.max(tiles.columns * s.n1, tiles.rows * s.n2)
  local plan = { "four-step", s.columns, rising(s.rows), tile = tiles.columns, rows = tiles.rows, uneven = tiles.uneven }
  plan.threads, plan.products = -(-most // points // TILE_WARP) * TILE_WARP, "on"
  local registers = TILE_REGISTERS[points * element_bytes(problem) // 8 < TILE_POINTS[1] and 2 or 1]
  local blocks = math.min(device.local_bytes // (block + SYSTEM), fft.machine.registers // (plan.threads * registers))
  plan.resident = fft.blocks(blocks)
  return plan
end

local function with_queue(plan, ring)
  local round = {}
  for key, value in pairs(plan) do round[key] = value end
  round.queue = ring
  return round
end

-- And of few transforms such as leave no multiprocessor without one.
local function tile_blocks(problem)
  local share = problem.batch * problem.points * element_bytes(problem) // math.max(1, fft.machine.multiprocessors)
  return share < TILE_BLOCKS[1] and { share, table.unpack(TILE_BLOCKS) } or TILE_BLOCKS
end

local function tiled_plans(problem, device, unit, result)
  local bytes = problem.points * element_bytes(problem)
  local ring = math.min(math.max(LEAST_RING, TILE_RING // bytes), QUEUE_SLOTS)
  local queue = device.queue and LEAST_RING * bytes <= TILE_MOST and problem.batch >= 2 * ring
  local double = problem.compute == "f64"
  local list = sides(problem, unit, math.min(device.codelet_limit, double and TILE_RADIX_F64 or TILE_RADIX))
  if #list == 0 and double then list = sides(problem, unit, LONGER_RADIX_F64) end
  for _, s in ipairs(list) do
    local function passes(plan) return plan[1] == "stockham" or plan[1] == "direct" end
    if not passes(s.columns) or not passes(s.rows) then table.insert(result, { "four-step", s.columns, s.rows }) end
    for _, block in ipairs(tile_blocks(problem)) do
      for _, tiles in ipairs(tiles_of(problem, s, block)) do
        for _, points in ipairs(points_of(problem, s)) do
          local plan = tiled_plan(problem, device, s, tiles, block, points)
          if plan.threads <= device.max_threads then
            table.insert(result, plan)
            if queue then table.insert(result, with_queue(plan, ring)) end
          end
        end
      end
    end
  end
end

-- Lines along a dimension of several, and transforms that are few: tiles of a segment's width, of lines narrower ones, too,
-- where few make few of those.
local function parted_plans(problem, device, unit)
  local result, element = {}, element_bytes(problem)
  for _, s in ipairs(sides(problem, unit, SMALL_RADIX)) do
    local plan = { "four-step", s.columns, rising(s.rows) }
    table.insert(result, plan)
    local tiles = problem.batch * math.min(s.n1, s.n2) * element // SEGMENT
    if problem.along and tiles < fft.machine.multiprocessors then
      local tile = SECTOR // element
      table.insert(result, { "four-step", plan[2], plan[3], tile = tile, rows = tile })
    end
  end
  return result
end

function plans(problem, device)
  if not device.gpu then return cpu_plans(problem, device) end
  local result, unit = {}, SEGMENT // element_bytes(problem)
  if problem.along or not is_long(problem, device) then return parted_plans(problem, device, unit) end
  cluster_plans(problem, device, result)
  local whole = #result > 0 -- the large memory is passed once
  pair_plans(problem, device, unit, result)
  local clusters, half = #result, half_wide_plan(problem, device, unit)
  for _, n1 in ipairs(splits(problem.points, unit)) do
    if #result == clusters + MOST_SPLITS - (half and 1 or 0) then break end
    local columns, rows = simple_plan(n1), simple_plan(problem.points // n1)
    if columns and rows then table.insert(result, { "four-step", columns, rows }) end
  end
  if half then table.insert(result, half) end
  local queue = not whole and queue_plan(problem, device, unit)
  if queue then table.insert(result, queue) end
  if not whole then alone_queue_plans(problem, device, unit, result) end
  if not is_half(problem) then tiled_plans(problem, device, unit, result) end
  return result
end
