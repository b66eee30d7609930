-- Transforms of reals that no block of a GPU holds. As a complex matrix whose rows are taken in
-- pairs: by clusters as far as the memory of their blocks fits several times into a
-- multiprocessor, beyond that in two kernels, columns by clusters, or in two whose blocks stay, so that
-- what is between them need not leave L2. Or as a matrix of n1
-- rows and n2 columns of reals, columns first, then half of the rows, in two kernels. What
-- is preferred here was measured on an H200 (docs/lab/gpu-two-passes.md).
priority = 3

local PART, MOST_PART = fft.limit("cluster_part"), fft.limit("cluster_part_most")
local BALANCED, MANY_BLOCKS = fft.limit("balanced_cluster"), fft.limit("balanced_from")
local LEAST_CLUSTER = 5    -- blocks: smaller clusters hold what a block nearly does
local CLUSTER_RADIX, CLUSTER_RADIX_F64 = 28, 24 -- see longest_of_cluster
local SECTOR = fft.machine.sector_bytes
local SYSTEM = fft.machine.shared_kept_bytes -- of a block
local TILE = 2 * fft.limit("tile_block") -- of the second kernel, when its tiles are two segments wide
local SEGMENT = fft.machine.segment_bytes -- bytes that GPUs move at once
local MOST_RADIX = 32      -- of complex numbers
local MOST_REAL_RADIX = 64 -- where columns have no two radices up to the other
local MOST_LONG_RADIX = fft.limit("thread_radix") -- where rows have one pass less by it
local LONG_COLUMN, LONG_ROW = fft.limit("real_column_most"), fft.limit("real_row_most")
local MOST_UNEQUAL = 4     -- one factor over the other
local MOST_SPLITS = 6      -- sizes of the matrix of reals that are looked at
local QUEUE_BLOCKS = { fft.limit("queue_block"), 2 * fft.limit("queue_block") } -- two or one a multiprocessor
local QUEUE_THREADS = fft.limit("queue_threads") -- of the smaller one
local QUEUE_RING, QUEUE_LONG, QUEUE_SLOTS = fft.limit("queue_ring"), fft.limit("queue_long"), fft.limit("queue_slots")
local QUEUE_COLUMN = 1024   -- its columns' points, at most; where rows of results are one codelet twice as many, which
                            -- makes the contiguous runs there longer
local QUEUE_DROP = fft.limit("queue_drop")
local QUEUE_WHOLE = fft.limit("queue_whole")
local QUEUE_TILE = 8        -- columns of a tile, at least: half a segment or a whole one
local MAX_POINTS = 1 << 30 -- numbers of elements have 32 bits

local function real_bytes(problem) return problem.precision == "f64" and 8 or 4 end

function applies(problem, device)
  local n = problem.points
  if (problem.kind ~= "r2c" and problem.kind ~= "c2r") or problem.rank ~= 1 or problem.child then return false end
  if not device.gpu or n > MAX_POINTS or n % 2 == 1 and problem.kind == "c2r" then return false end
  local primes = fft.factor(n)
  local rows = problem.unit_in and problem.unit_out
  local long = n * real_bytes(problem) > device.local_bytes * 3 // 4 or not rows and n * SECTOR > device.local_bytes
  return #primes > 0 and primes[#primes] <= device.codelet_limit and (long or problem.along ~= nil)
end

-- An even one last: of those in falling order the smallest.
local function ends_even(radices)
  for i = #radices, 1, -1 do
    if radices[i] % 2 == 0 then
      table.insert(radices, table.remove(radices, i))
      return true
    end
  end
end

-- The fewest radices up to `most`, the last one even, unless columns are odd, or all of the transform is. Of columns the
-- first one is the largest: it takes reals, half a complex number each. Of rows all are about equal.
local function radices_of(n, most, columns, odd)
  local best, least
  for _, radices in ipairs(fft.radices(n, most)) do
    local uneven, even = radices[1] - radices[#radices], ends_even(radices)
    local cost = #radices * 1000 + (columns and -radices[1] or uneven)
    if (even or odd or columns and n % 2 == 1) and (not least or cost < least) then
      best, least = { "stockham", table.unpack(radices) }, cost
    end
  end
  return best
end

-- Two passes, if there are such.
local function columns_of(n, most)
  local short = radices_of(n, most, true)
  return short and #short == 3 and short or radices_of(n, MOST_REAL_RADIX, true)
end

-- By radices up to `most`, and where these are three or more, by two longer ones.
local function rows_of_columns(n, most)
  local odd = n % 2 == 1
  local short, long = radices_of(n, most, false, odd), radices_of(n, MOST_LONG_RADIX, false, odd)
  local list = { short }
  if long and #long == 3 and (not short or #short > 3) then table.insert(list, long) end
  return list
end

-- Numbers of points of the columns. Rows have an even number, in an odd transform any. Nearest to the square root first, of
-- even ones, then of odd ones; long columns and long rows after all others.
local function splits(problem)
  local list, n, bytes = {}, problem.points, real_bytes(problem)
  local root = math.sqrt(n)
  for d = math.ceil(math.sqrt(n / MOST_UNEQUAL)), math.floor(root) do
    if n % d == 0 then
      if n % 2 == 1 or n // d % 2 == 0 then table.insert(list, d) end
      if n // d ~= d and (n % 2 == 1 or d % 2 == 0) then table.insert(list, n // d) end
    end
  end
  local function misfit(d)
    local long = (d * bytes > LONG_COLUMN and 1 or 0) + (n // d * 2 * bytes > LONG_ROW and 2 or 0)
    return long + math.abs(math.log(d / root)) + (d < root and 0.1 or 0) + d % 2
  end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  return list
end

-- Columns of n points as two passes, nearly equal ones, and a segment's worth and the rest. Where the columns meet the
-- pairs of rows, a radix is even.
local function cluster_columns(n, unit, most, last, backward)
  local result = {}
  local function add(a, b)
    if (backward and a or b) % 2 ~= 0 then a, b = b, a end
    if (backward and a or b) % 2 == 0 and b <= last and a <= most then result[#result + 1] = { "stockham", a, b } end
  end
  for _, radices in ipairs(fft.radices(n, MOST_RADIX)) do
    if #radices == 2 and radices[1] <= 2 * radices[2] then add(radices[2], radices[1]) end
  end
  if n % unit == 0 and not (result[1] and result[1][2] == unit) then add(unit, n // unit) end
  return result
end

-- The longest codelets of columns, of their last pass, and of rows. Where pairs are taken apart or put together, a
-- thread holds more than the codelet's numbers.
local function longest_of_cluster(problem)
  if problem.compute == "f64" then return CLUSTER_RADIX_F64, CLUSTER_RADIX_F64, CLUSTER_RADIX_F64 end
  local forward = problem.kind == "r2c"
  return MOST_RADIX, forward and CLUSTER_RADIX or MOST_RADIX, forward and MOST_RADIX or CLUSTER_RADIX
end

-- Pairs of rows by clusters of c blocks, each with its share of both, at least half a segment's worth of them a block.
-- The columns' last pass goes from block to block. Where few blocks share a multiprocessor, results are whole sectors.
local function plans_of_cluster(problem, device, c, result)
  local real, points = real_bytes(problem), problem.points // 2
  local bytes, unit = problem.points * real, SEGMENT // (2 * real)
  local long, last, most_rows = longest_of_cluster(problem)
  local few = (problem.kind == "c2r" or real == 8 or bytes > c * PART) and 4 or 5
  few = math.min(few, device.local_bytes // (bytes // c + SYSTEM))
  local policy = c <= BALANCED and problem.batch * c >= MANY_BLOCKS and "load_balancing" or nil
  for half = unit, math.max(2, unit // 2), -1 do
    local whole = few > 3 or problem.kind == "c2r" or 2 * real * half % SECTOR == 0
    for n2 = c, whole and most_rows or 0, c do
      local n1 = points // (half * n2)
      if points % (half * n2) == 0 and n1 % (2 * c) == 0 and n2 >= half and n2 % 2 == 0 then
        for _, columns in ipairs(cluster_columns(n1, unit, long, last, problem.kind == "c2r")) do
          local step = { "four-step", columns, { "direct", n2 }, cluster = c, resident = few }
          table.insert(result, { "real", 2 * half, step, cluster_scheduling = policy })
        end
      end
    end
  end
end

-- By the smallest cluster that has plans: of floats parts as large as may be, of which three fill a multiprocessor;
-- in double such of which four do, before larger ones.
local function cluster_plans(problem, device, result)
  local bytes = problem.points * real_bytes(problem)
  for _, part in ipairs(problem.compute == "f64" and { PART, MOST_PART } or { MOST_PART }) do
    for c = LEAST_CLUSTER, device.cluster do
      if bytes <= c * part and #result == 0 then plans_of_cluster(problem, device, c, result) end
    end
  end
  return #result > 0
end

-- Columns of n1 numbers, a segment's worth side by side, by the largest cluster whose blocks
-- end with as many rows, an even radix last. Two codelets of 16 points leave no registers for a fifth block.
local function columns_by_clusters(device, n1, unit, element)
  for c = device.cluster, 2, -1 do
    local length, part = unit * c, n1 * unit * element // c
    local last = n1 // length
    if n1 % length == 0 and last % c == 0 and last % 2 == 0 and last <= MOST_RADIX // 2 and part <= PART then
      local plan = radices_of(length, MOST_RADIX // 2, false)
      local most = plan and plan[3] == MOST_RADIX // 2 and 4 or 5
      return plan and { "four-step", plan, { "direct", last }, cluster = c, resident = math.min(8, most * PART // part) }
    end
  end
end

-- Rows in blocks: pairs for two segments, where they are short enough.
local function pair_plan(problem, device)
  local element = 2 * real_bytes(problem)
  local unit = SEGMENT // element
  for _, n2 in ipairs({ MOST_RADIX // 2, MOST_RADIX }) do
    local n1 = problem.points // 2 // (unit * n2)
    local columns = problem.points // 2 % (unit * n2) == 0 and columns_by_clusters(device, n1, unit, element)
    local wide = 4 * unit * n2 * unit * element <= math.min(TILE, device.local_bytes) and 2 * unit or nil
    if columns then return { "real", 2 * unit, { "four-step", columns, { "direct", n2 }, rows = wide } } end
  end
end

-- Of one block's size: columns as long as they may be, and rows in pairs for a segment's worth, or half of it where a
-- block is alone. Returns n1, the columns of a tile, the pairs of one, R and the rows' plan.
local function queue_split(problem, block, element, last)
  local numbers, points = block // element, problem.points // 2
  local least = QUEUE_BLOCKS[2] // block * SEGMENT // 2 // element
  local codelet = element > 8 and MOST_RADIX // 2 or MOST_RADIX
  for _, n1 in ipairs({ 2 * QUEUE_COLUMN, QUEUE_COLUMN, QUEUE_COLUMN // 2 }) do
    local tile, length = numbers // n1, points // n1
    local half = math.min(tile, codelet // 2)
    local rows, n2 = numbers // (2 * length), length // half
    local whole = points % (n1 * half) == 0 and numbers % (2 * length) == 0 and n1 // 2 % rows == 0
    local long = not last and n1 > QUEUE_COLUMN and (problem.kind == "c2r" or n2 > codelet)
    if whole and not long and tile >= QUEUE_TILE and rows >= least and n2 > 1 then
      return n1, tile, rows, 2 * half, n2 <= codelet and { "direct", n2 } or radices_of(n2, MOST_RADIX // 2, false)
    end
  end
end

-- Columns of two long radices, and of more that leave threads registers.
local function queue_columns(n1, element)
  local few, short = radices_of(n1, MOST_RADIX, false), radices_of(n1, MOST_RADIX // 2, false)
  return element > 8 and { short } or #few < #short and { few, short } or { short }
end

-- Two kernels of blocks as one, whose blocks stay.
local function queue_plans(problem, device, result)
  local element, bytes = 2 * real_bytes(problem), problem.points * real_bytes(problem)
  -- Backward transforms of floats gain by a queue although memory is passed twice: reading, writing and computing overlap.
  local last = problem.kind == "c2r" and element == 8 and 3 * bytes > QUEUE_RING and 3 * bytes <= QUEUE_LONG
  local ring = last and 3 or math.min(QUEUE_RING // bytes, QUEUE_SLOTS)
  if not device.queue or ring < 3 or problem.batch < 2 * ring then return end
  for _, block in ipairs(QUEUE_BLOCKS) do
    local n1, tile, rows, radix, lines = queue_split(problem, block, element, last)
    if lines and block <= device.local_bytes then
      local part = block // QUEUE_BLOCKS[1]
      for _, columns in ipairs(queue_columns(n1, element)) do
        local step = { "four-step", columns, lines, tile = tile, rows = rows }
        local plan = { "real", radix, step, threads = QUEUE_THREADS * part, resident = 2 // part }
        plan.products, plan.queue = "on", ring
        plan.deferred_wait = (problem.kind == "c2r" or element > 8) and "next" or "store"
        if last then plan.threads, plan.evict_last = 2 * plan.threads, "on" end
        if problem.kind == "r2c" and element == 8 and rows <= QUEUE_WHOLE then plan.whole = "on" end
        local tiles = problem.points // 2 // (n1 * tile)
        local distance, room = fft.ring(tiles, n1 // (2 * rows), plan.resident, tiles * 13 // 8)
        local drop = element == 8 and bytes >= QUEUE_DROP
        if distance then plan.swap, plan.queue, plan.prefetch_distance = drop and "discard" or "on", room, distance end
        table.insert(result, plan)
      end
      return
    end
  end
end

function plans(problem, device)
  local result, most, bytes = {}, problem.compute == "f64" and MOST_RADIX // 2 or MOST_RADIX, real_bytes(problem)
  local primes = fft.factor(problem.points)
  most = math.max(most, primes[#primes]) -- which one of the sides has
  if not problem.in_place and problem.unit_in and problem.unit_out and not problem.along then
    if not cluster_plans(problem, device, result) then result[1] = pair_plan(problem, device) end
    queue_plans(problem, device, result)
  end
  local taken = 0
  for _, n1 in ipairs(splits(problem)) do
    local n2 = problem.points // n1
    local columns, all = columns_of(n1, most), rows_of_columns(n2, most)
    local fits = SEGMENT * n2 * 2 <= math.min(TILE, device.local_bytes)
    for _, rows in ipairs(columns and all or {}) do
      if #rows > 2 then table.insert(result, { "four-step", columns, rows, rows = fits and SEGMENT // bytes or nil }) end
      local tiles = problem.batch * math.min(n1, n2) * bytes // SEGMENT
      if #rows > 2 and problem.along and tiles < fft.machine.multiprocessors then
        table.insert(result, { "four-step", columns, rows, tile = SECTOR // bytes, rows = SECTOR // (2 * bytes) })
      end
    end
    if columns and #all > 0 then taken = taken + 1 end
    if taken == MOST_SPLITS then return result end
  end
  return result
end
