-- Any n as a cyclic convolution of L >= 2n-2 points (Bluestein; its chirp is even, so that the
-- first and the last of its 2n-1 values may be one): for lengths with
-- a prime factor that small radices do not reach. Smooth lengths never need it.
priority = 4

local SMALL_PRIME, SMALL_ON_CPU = 31, 43 -- codelets of primes that radices reach round less than two transforms do
local SMALL_ALONE = 19 -- of a prime length: one codelet of it is scalar where there is no batch
local MAX_POINTS = 1 << 61 -- L must fit 2^62

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.points > MAX_POINTS then return false end
  if fft.held(problem.points) then return false end
  local primes = fft.factor(problem.points)
  local small = #primes == 1 and SMALL_ALONE or device.gpu and SMALL_PRIME or SMALL_ON_CPU
  return #primes > 0 and primes[#primes] > small
end

-- Lengths to pad to, cheapest first: what passes cost in these factors, measured in
-- operations for a point, times the points.
local FACTOR_COST = { [2] = 3.1, [3] = 6.2, [5] = 10.4, [7] = 15.5 }
local CANDIDATES = 5

local function cost(L)
  local sum = 4
  for _, p in ipairs(fft.factor(L)) do sum = sum + (FACTOR_COST[p] or 2 * p) end
  return L * sum
end

local function element_bytes(problem) return problem.compute == "f64" and 16 or 8 end

-- In double, sqrt(3)/2 is rounded by nearly half a unit, always the same way, and a
-- convolution passes it twice for every factor 3: from five on, the sum shows.
local function accurate(L, precision) return precision ~= "f64" or L % 243 ~= 0 end

local function lengths(n, precision)
  local list, seen = {}, {}
  local least, limit = 2 * n - 2, fft.good_size(2 * n - 2, 2)
  local function add(L)
    if L <= limit and not seen[L] then table.insert(list, L) end
    seen[L] = true
  end
  -- Multiples of larger and larger powers of two fill vectors from end to end.
  for _, unit in ipairs({ 1, 16, 64, 256 }) do
    for _, prime in ipairs({ 2, 3, 5, 7 }) do
      local units = fft.good_size((least + unit - 1) // unit, prime)
      while not accurate(unit * units, precision) do units = fft.good_size(units + 1, prime) end
      add(unit * units)
    end
  end
  table.sort(list, function(a, b)
    local x, y = cost(a), cost(b)
    return x < y or (x == y and a < b)
  end)
  for i = #list, CANDIDATES + 1, -1 do list[i] = nil end
  return list
end

-- On GPUs, beyond what a block holds: columns in tiles, rows back and forth in one kernel.
local SEGMENT = fft.machine.segment_bytes -- bytes that GPUs move at once
local LEAST_COLUMN, USUAL_COLUMN = 64, 128 -- points: blocks hold segments of them, several times
local ROWS_AT_ONCE = 2               -- rows of a block, so that another block works meanwhile
local MOST_RADIX, MOST_MIDDLE = 32, 16 -- the pass in the middle transforms forward and back: shorter codelets
local COLUMN_PASSES = 2              -- of more, rows would be the longer side, if these could be longer

-- Few passes of about equal radices: each thread holds as many points in all of them.
-- Where the last one transforms forward and back at once, it is short.
local function even_plan(n, most_last)
  local best, least
  for _, radices in ipairs(fft.radices(n, MOST_RADIX)) do
    local last = radices[#radices]
    local cost = #radices * 100 + radices[1] - last
    if #radices > 1 and last <= most_last and (not least or cost < least) then
      best, least = { "stockham", table.unpack(radices) }, cost
    end
  end
  return best
end

local SHORT_LAST = 10 -- points of a codelet of CPUs, where the last pass transforms forward and back, too

-- The first two of the three kernels as one, by a queue.
local QUEUED, MOST_QUEUED = fft.limit("convolution_queued"), fft.limit("convolution_queued_most")
local RING, QUEUE_THREADS = fft.limit("convolution_ring"), fft.limit("convolution_queue_threads")
local LEAST_RING = 8 -- convolutions: of fewer, blocks wait for each other

-- Threads of so many transforms at once.
local function threads_of(passes, count)
  local points = 1
  for i = 2, #passes do points = points * passes[i] end
  return count * points // math.max(table.unpack(passes, 2))
end

-- One block does both parts: where one has more threads than the other, some wait. (In float, H200: 150528 points by 112 and
-- 128 threads 4073 us, by three kernels 3149; 131072 by 128 and 128 gain.)
local function queued_plan(problem, device, L, columns, rows)
  local bytes, double = element_bytes(problem), problem.compute == "f64"
  if not double and threads_of(columns, SEGMENT // bytes) ~= threads_of(rows, ROWS_AT_ONCE) then return end
  local ring = math.max(LEAST_RING, RING // (L * bytes))
  local large = L * bytes >= QUEUED and L * bytes <= MOST_QUEUED
  if not device.queue or not large or problem.batch < 2 * ring or #rows < 4 or #columns < 3 then return end
  local four = { "four-step", columns, rows, tile = SEGMENT // bytes, rows = 2 }
  return { "bluestein", L, four, threads = QUEUE_THREADS, queue = ring, products = not double and "on" or nil,
           resident = double and 1 or 2, deferred_wait = double and "next" or nil }
end

-- Rows of a power of two leave no thread of their passes idle.
local function split_plans(problem, device, L, powers, result)
  local bytes, splits = element_bytes(problem), {}
  if not device.gpu or problem.child or L * bytes <= device.local_bytes then return end
  for n1 = LEAST_COLUMN, device.local_bytes // SEGMENT do
    local n2 = L // n1
    local whole = L % n1 == 0 and n2 % (SEGMENT // bytes) == 0
    if whole and (n2 & (n2 - 1) == 0) == powers and n2 * bytes * ROWS_AT_ONCE <= device.local_bytes then table.insert(splits, n1) end
  end
  local function far(n1) return math.abs(math.log(n1 / USUAL_COLUMN)) end
  table.sort(splits, function(a, b) return far(a) < far(b) end)
  for _, n1 in ipairs(splits) do
    local columns, rows = even_plan(n1, MOST_RADIX), even_plan(L // n1, MOST_MIDDLE)
    local few = columns and (#columns <= 1 + COLUMN_PASSES or n1 > MOST_RADIX * MOST_RADIX)
    if rows and few then
      table.insert(result, { "bluestein", L, { "four-step", columns, rows } })
      if powers then result[#result + 1] = queued_plan(problem, device, L, columns, rows) end
      return
    end
  end
end

-- By clusters, in one kernel: faster than three, and than blocks that leave a multiprocessor no second one. With memory
-- of its own for what they send, blocks hardly wait for each other, if there is room for several.
local LARGE_BLOCK, LONGEST_CLUSTERED = fft.limit("large_block"), fft.limit("convolution_clustered_points")
local CLUSTERS, MOST_PART = { 8, 16 }, fft.limit("convolution_part")
local ROW, LAST_RADICES = { "stockham", 16, 8 }, { 8, 16 } -- multiples of a cluster's blocks: each block has whole runs
local SYSTEM = fft.machine.shared_kept_bytes -- of a block
local BALANCED, MANY_BLOCKS = fft.limit("balanced_cluster"), fft.limit("balanced_from")
local LEAST_APART, TOGETHER = 3, 4 -- blocks at once: with memory of their own for what they send, and without

local function largest_prime(n)
  local primes = fft.factor(n)
  return primes[#primes] or 1
end

local function cluster_plan(problem, device, L, first, last)
  for _, c in ipairs(CLUSTERS) do
    local part = L * element_bytes(problem) // c
    if last % c == 0 and first * last % c == 0 and c <= device.cluster and part <= MOST_PART then
      local four = { "four-step", { "stockham", first, last }, ROW, cluster = c }
      local plan, room = { "bluestein", L, four }, device.local_bytes // (2 * part + SYSTEM)
      four.resident = room >= LEAST_APART and fft.blocks(room) or TOGETHER
      plan[room >= LEAST_APART and "separate_buffers" or "deferred_store"] = "on"
      if c <= BALANCED and problem.batch * c >= MANY_BLOCKS then plan.cluster_scheduling = "load_balancing" end
      return plan
    end
  end
end

local function cluster_plans(problem, device, result)
  local least, most = 2 * problem.points - 2, problem.compute == "f64" and 16 or 24
  if not device.gpu or problem.child then return end
  for _, last in ipairs(LAST_RADICES) do
    local unit = ROW[2] * ROW[3] * last
    local first = math.max(2, (least + unit - 1) // unit)
    while largest_prime(first) > 7 do first = first + 1 end
    local L = unit * first
    local long = L * element_bytes(problem) > LARGE_BLOCK and L <= LONGEST_CLUSTERED
    if long and first <= most then result[#result + 1] = cluster_plan(problem, device, L, first, last) end
  end
end

-- Inside a block: half of the first pass's inputs are zeros, so that it may be long; the
-- last one transforms forward and back, and is short. Fastest on an H200 at every power of two.
local USUAL_MIDDLE = 8  -- radix of the last pass
local LEAST_FUSED = 256 -- points: shorter ones take two passes at any rate
local GROUPED = fft.limit("grouped_threads")
-- Long passes of doubles, forward, back and multiplied, spill where two blocks share a multiprocessor's registers (2423
-- points on an H200: .125 of a copy for .25).
local LEAST_ALONE = fft.limit("convolution_alone")

local function one_block(problem, device, bytes)
  local whole = device.gpu and not problem.child and problem.compute == "f64"
  return whole and bytes >= LEAST_ALONE and bytes <= device.local_bytes and 1 or nil
end

local REGISTERS, OF_LONG = fft.machine.registers, fft.limit("long_thread_registers")

local function fused_plan(problem, device, L)
  local double = problem.compute == "f64"
  local first = double and 16 or 32
  if not device.gpu or problem.child or L < LEAST_FUSED or L % first ~= 0 then return end
  if L * element_bytes(problem) > device.local_bytes then return end
  local best, least = L // first <= 16 and { L // first }
  for _, radices in ipairs(not best and fft.radices(L // first, first) or {}) do
    local cost = #radices * 100 + math.abs(radices[#radices] - USUAL_MIDDLE)
    if #radices > 1 and (not least or cost < least) then best, least = radices, cost end
  end
  if not best then return end
  local threads = math.max(OF_LONG, L // first)
  local plan = { "bluestein", L, { "stockham", first, table.unpack(best) }, products = "on" }
  if not double and threads * OF_LONG <= REGISTERS then plan.resident = fft.blocks(REGISTERS // (threads * OF_LONG)) end
  if double then plan.resident = one_block(problem, device, L * element_bytes(problem)) end
  return plan
end

-- In double, radices half as long: a pass more, and half as many registers, with which three blocks share a
-- multiprocessor in place of two (1307 points on an H200: 427 us for the 513 of 16, 14, 12).
local SHORT_RADIX = 8

local function short_plan(problem, device, L)
  local bytes, best, least = L * element_bytes(problem)
  if not device.gpu or problem.child or problem.compute ~= "f64" or L < LEAST_FUSED or bytes > device.local_bytes then return end
  for first = SHORT_RADIX, 2, -1 do
    for _, rest in ipairs(L % first == 0 and fft.radices(L // first, first) or {}) do
      local cost = 100 * #rest + first - rest[#rest]
      if not least or cost < least then best, least = { "stockham", first, table.unpack(rest) }, cost end
    end
  end
  return best and { "bluestein", L, best, products = "on", resident = one_block(problem, device, bytes) }
end

-- On CPUs, beyond caches: columns in tiles, rows forward and back in one visit, columns back.
local TILES_FROM = fft.limit("tiles_from")
-- Where rows of either part are whole pages, those of a tile push each other out of caches: other lengths do better.
local LENGTHS_IN_TILES, TILED = 3, 3

local function in_pages(problem, plan)
  local bytes = element_bytes(problem) // 2
  for i = 2, #plan do bytes = bytes * plan[i] end
  return bytes % fft.machine.page_bytes == 0
end

local function tiled_plans(problem, device, list, result)
  if device.gpu or problem.child then return end
  for i = 1, list[1] * element_bytes(problem) >= TILES_FROM and math.min(LENGTHS_IN_TILES, #list) or 0 do
    local taken = 0
    for _, child in ipairs(fft.plans(list[i], "c2c", true)) do
      if child[1] == "four-step" and taken < TILED and not in_pages(problem, child[3]) then
        taken = taken + 1
        table.insert(result, { "bluestein", list[i], child })
      end
    end
  end
end

function plans(problem, device)
  local result, clustered, list = {}, {}, lengths(problem.points, problem.compute)
  cluster_plans(problem, device, clustered)
  for _, powers in ipairs({ true, false }) do
    for i = 1, #list do split_plans(problem, device, list[i], powers, result) end
  end
  for _, plan in ipairs(clustered) do table.insert(result, plan) end
  tiled_plans(problem, device, list, result)
  for i, L in ipairs(list) do
    local taken, bytes = 0, L * element_bytes(problem)
    local alone = #clustered > 0 and bytes > LARGE_BLOCK and bytes <= device.local_bytes -- a block that is worse
    local fused = not alone and fused_plan(problem, device, L)
    if fused then table.insert(result, fused) end
    local shorter = not alone and short_plan(problem, device, L)
    if shorter then table.insert(result, shorter) end
    local short = not device.gpu and not problem.child and even_plan(L, SHORT_LAST)
    if short then table.insert(result, { "bluestein", L, short }) end
    for _, child in ipairs(fused and {} or fft.plans(L)) do
      -- The middle multiplies by a table, which these two take into their first pass.
      local fits = child[1] == "stockham" or child[1] == "direct"
      if fits and not alone and taken < (problem.child and 1 or 2) and (i <= 2 or not problem.child) then
        local one = one_block(problem, device, bytes)
        table.insert(result, { "bluestein", L, child, resident = one })
        if device.gpu and not problem.child and child[1] == "stockham" then
          table.insert(result, { "bluestein", L, child, products = "on", resident = one })
          table.insert(result, { "bluestein", L, child, products = "on", threads = GROUPED, resident = one })
        end
        taken = taken + 1
      end
    end
  end
  return result
end
