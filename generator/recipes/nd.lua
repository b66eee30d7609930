-- Several dimensions, one after the other: for each dimension the plans of its
-- length. All the best ones together, then each dimension's second choice. On GPUs
-- planes that a block or the blocks of a cluster can hold are one kernel; where blocks may
-- stay, rows and columns of larger ones are the items of a queue, or small planes and the dimension before them.
priority = 5

local CHOICES = 3 -- plans of a dimension that are looked at
local FEW_REGISTERS = fft.limit("few_registers")
local PART, MOST_PART = fft.limit("cluster_part"), fft.limit("cluster_part_most")
local RESIDENT = fft.limit("cluster_resident")
local QUEUE_BLOCK = fft.limit("queue_block") -- of rows and columns,
local QUEUE_RESIDENT = 2     -- so many a multiprocessor
local SEGMENT = fft.machine.segment_bytes -- bytes that GPUs move at once,
local SECTOR = fft.machine.sector_bytes   -- and at least
local QUEUE_TILE, QUEUE_SLOTS = fft.limit("queue_tile"), fft.limit("queue_slots")
local QUEUE_RING, QUEUE_MOST = fft.limit("queue_ring_least"), fft.limit("queue_ring") -- bytes between its kernels
local LEAST_RING = 3         -- planes: one is written, one is read, one is between
local ROW_RADIX = 40         -- of rows and columns: few passes
local PLANE_RADIX = 20       -- of planes in one block
local F64_RADIX = fft.limit("thread_radix_f64") -- of either in double
local POINTS = 32            -- of a thread, of rows and columns in single precision
local LEAST_PLANE = fft.limit("queue_plane")
local PLANE_RESIDENT = fft.limit("queue_plane_resident") -- of such blocks a multiprocessor has two, or as many
local REGISTERS = fft.machine.registers -- as its registers allow,
local PLANE_REGISTERS = fft.limit("queue_plane_registers") -- of which a thread has so many beside its points
local SYSTEM = fft.limit("block_system")

function applies(problem, device)
  return problem.rank > 1 and not problem.frames
end

local function element_bytes(problem) return problem.precision == "f64" and 16 or 8 end

-- The fewest blocks that hold a plane in usual parts, else the fewest that can.
local function cluster_of(problem, device, usual)
  local rows, columns = problem.n[problem.rank - 1], problem.n[problem.rank]
  local bytes, found = rows * columns * element_bytes(problem)
  if not device.gpu or problem.kind ~= "c2c" or rows < 2 or columns < 2 then return end
  for c = 1, problem.in_place and 1 or math.max(device.cluster, 1) do
    if rows % c == 0 and columns % c == 0 then
      if bytes <= c * PART then return c end
      if bytes <= c * MOST_PART and not found and not usual then found = c end
    end
  end
  return found
end

-- How many of so many bytes the ring buffer holds; nil: too few, or they are too large.
local function ring_of(problem, bytes, count)
  local ring = math.min(math.max(LEAST_RING, -(-QUEUE_RING // bytes)), QUEUE_SLOTS)
  if ring * bytes <= QUEUE_MOST and count >= 2 * ring then return ring end
end

-- The fewest passes, of radices as equal as can be; nil: there are none, as of one point.
local function even_radices(n, most)
  local best, least
  for _, radices in ipairs(n > 1 and fft.radices(n, most) or {}) do
    local cost = #radices * 1000 + radices[1] - radices[#radices]
    if not least or cost < least then best, least = radices, cost end
  end
  return best
end

-- Two passes of which a thread takes whole iterations: a first one in one, if there is such, else in two, of a large
-- radix. And the points that it takes.
local function whole_turns(n, most)
  for turns = 1, 2 do
    local best
    for _, r in ipairs(fft.radices(n, most)) do
      if #r == 2 and turns * r[1] % r[2] == 0 and (not best or r[1] > best[1]) then best = r end
    end
    if best then return best, turns * best[1] end
  end
end

-- The largest divisor of n up to `most` that is a multiple of `unit`.
local function divisor(n, most, unit)
  for t = math.min(n, most) // unit * unit, 1, -unit do
    if n % t == 0 then return t end
  end
end

-- Of a row, whole segments if that can be, else whole sectors.
local function tile_of(n, most, element)
  return divisor(n, most, SEGMENT // element) or divisor(n, most, SECTOR // element) or divisor(n, most, 1)
end

local function rising(radices)
  local list = {}
  for _, r in ipairs(radices) do table.insert(list, 1, r) end
  return list
end

local function may_queue(problem, device)
  return device.queue and problem.kind == "c2c" and (problem.precision == "f32" or problem.precision == "f64")
end

-- The last dimension's rows and the first one's columns, with planes in a ring buffer. Columns begin with their smaller
-- radices: more threads bring them, and their places are free again the sooner.
local function line_queue(problem, device)
  local columns, rows, element = problem.n[1], problem.n[problem.rank], element_bytes(problem)
  local plane, p, each, other = columns * rows, { "nd" }, 1, 1
  local ring = plane * element > device.local_bytes and ring_of(problem, plane * element, problem.points // plane * problem.batch)
  local tile = ring and tile_of(rows, QUEUE_BLOCK // (columns * element), element)
  local lines = ring and divisor(columns, QUEUE_BLOCK // (rows * element), 1)
  if not tile or not lines or tile * element < QUEUE_TILE then return end
  for d = 1, problem.rank do
    local radices = even_radices(problem.n[d], element == 16 and F64_RADIX or ROW_RADIX)
    if not radices then return end
    p[d + 1] = { "stockham", table.unpack(d == 1 and rising(radices) or radices) }
    if radices[1] > each and (d == 1 or d == problem.rank) then each, other = radices[1], radices[2] or radices[1] end
  end
  -- As many points a thread as the largest radix has, which registers must hold.
  if element == 8 then each = POINTS % each == 0 and POINTS or each > POINTS and other or each end
  p.tile, p.rows, p.threads = tile, lines, math.min(math.max(tile * columns, lines * rows) // each, device.max_threads)
  p.resident, p.products, p.queue = QUEUE_RESIDENT, "on", ring
  local distance, room = fft.ring(rows // tile, columns // lines, QUEUE_RESIDENT)
  if distance then
    p.swap, p.queue, p.prefetch_distance = "on", room, distance
    if #p[2] > 2 and #p[#p] > 2 then p.deferred_wait = "next" end
  end
  return p
end

-- Planes in a block each, then the first dimension, with whole transforms in a ring buffer.
local function plane_queue(problem, device)
  if problem.rank ~= 3 then return end
  local n, element, p, most = problem.n, element_bytes(problem), { "nd" }, 1
  local points = n[2] * n[3]
  local ring = 2 * points * element <= device.local_bytes and ring_of(problem, problem.points * element, problem.batch)
  local tile = points // n[1]
  if not ring or tile < 1 or n[3] % tile > 0 or tile * element < QUEUE_TILE or points * element < LEAST_PLANE then return end
  for d = 1, 3 do
    local radices, held = whole_turns(n[d], PLANE_RADIX)
    if not radices then return end
    p[d + 1], most = { "stockham", table.unpack(radices) }, math.max(most, held)
  end
  local threads = math.min(points // most, device.max_threads)
  p.cluster, p.tile, p.threads, p.products, p.queue = 1, tile, threads, "on", ring
  local registers = (PLANE_REGISTERS + 2 * most) * element // 8
  p.resident = math.max(1, fft.blocks(math.min(PLANE_RESIDENT * 8 // element, REGISTERS // (threads * registers))))
  p.prefetch_distance = math.max(n[1], ring * n[1] * 5 // 8)
  return p
end

-- Columns transpose no rows: with few registers they like other radices than rows do. In: plans of each dimension; all of
-- one choice beside all of the first are there.
local function add_choices_apart(result, list, rank)
  for c = 2, CHOICES do
    for r = rank > 2 and 1 or 2, #list[rank] do
      local p = { "nd" }
      for d = 1, rank - 1 do p[d + 1] = list[d][c] or list[d][#list[d]] end
      p[rank + 1] = list[rank][r]
      table.insert(result, p)
    end
  end
end

-- The fewest passes over columns of n points: of radices up to `most`, as equal as can be, in falling or rising order.
local function columns_of(n, most, turned)
  local radices = n > most and even_radices(n, most)
  return radices and { "stockham", table.unpack(turned and rising(radices) or radices) }
end

-- Rows of columns are apart by powers of two, or nearly: the fewer of them a pass takes, the fewer share a set of the
-- caches. Radices up to 8, the smallest last, and the smallest up to 16 first.
local function add_columns(result, list, problem)
  for _, wish in ipairs({ { 8, false }, { 16, true } }) do
    local p, found = { "nd" }, false
    for d = 1, problem.rank - 1 do
      local columns = columns_of(problem.n[d], wish[1], wish[2])
      p[d + 1], found = columns or list[d][1], found or columns
    end
    for r = 1, found and #list[problem.rank] or 0 do
      p[problem.rank + 1] = list[problem.rank][r]
      table.insert(result, { table.unpack(p) })
    end
  end
end

-- Wide tiles of columns: rows of reals have an odd number of results, mostly, and such tiles cut sectors, the wider the
-- fewer; before a plane in a block they have few elements a thread. Of these bytes, as far as a block holds them; where they
-- do not divide the columns, the largest divisor, or with a last tile that has fewer.
local MAX_POINTS = 1 << 24 -- of a transform that the proof walks whole, as it does with uneven tiles
local INSIDE_MORE = 16 -- a part of shared memory for paddings
local TILES = { SEGMENT, 2 * SEGMENT, 4 * SEGMENT, 8 * SEGMENT }
local NARROW = { SEGMENT // 2, fft.machine.sector_bytes } -- of columns so few that multiprocessors would have none, or so
                                                          -- long that no block holds a segment's worth

local function copy(plan)
  local p = {}
  for key, value in pairs(plan) do p[key] = value end
  return p
end

-- Neighbours that tiles of columns are cut from.
local function columns_beside(problem)
  local last = problem.n[problem.rank]
  return problem.kind == "c2c" and last or last // 2 + 1
end

-- Numbers that a plan of n points holds at once: convolutions have more than their points.
local function held_by(plan, n)
  if plan[1] == "bluestein" then return plan[2] end
  if plan[1] == "rader" then return 2 * n end
  if plan[1] == "cooley-tukey" then return plan[2] * held_by(plan[3], n // plan[2]) end
  return n
end

local function wide_tiles(problem, device, plan, result)
  local element, longest, half = element_bytes(problem), 1, problem.kind ~= "c2c"
  for d = 1, problem.rank - (plan.inside or 1) do longest = math.max(longest, held_by(plan[d + 1], problem.n[d])) end
  local function add(bytes, uneven)
    local p = copy(plan)
    p.tile, p.uneven = bytes // element, uneven
    table.insert(result, p)
  end
  local tiles = device.gpu and problem.batch * problem.points * element // (SEGMENT * longest)
  local narrow = tiles and (tiles < fft.machine.multiprocessors or SEGMENT * longest > device.local_bytes)
  for _, bytes in ipairs(narrow and not plan.inside and problem.points <= MAX_POINTS and NARROW or {}) do
    local fits = bytes * longest + bytes * longest // INSIDE_MORE <= device.local_bytes
    if fits then add(bytes, columns_beside(problem) % (bytes // element) > 0 and "on" or nil) end
  end
  for _, bytes in ipairs(device.gpu and TILES or {}) do
    local columns, wide = columns_beside(problem), bytes > SEGMENT
    local fits = bytes * longest <= (wide and device.local_bytes // 2 or device.local_bytes)
    if fits and wide and (half or plan.inside) then add(bytes) end
    if fits and columns > bytes // element and columns % (bytes // element) > 0 then add(bytes, "on") end
  end
end

-- All dimensions in a block, or the last two: one pass over memory. Threads hold what the longest radix has. Convolutions go
-- forward and back in it.
local INSIDE_RADIX = { 8, 16, 32 }
local LEAST_RESIDENT = 2 -- blocks that copy rows longer than two segments, so that others compute meanwhile

local COMPLEX = { c2c = true, conv = true }
local INSIDE = { c2c = true, r2c = true, c2r = true, conv = true, rconv = true }

local function complex_points(problem, from)
  local all = 1
  for d = from, problem.rank do
    local n = problem.n[d]
    all = all * (d == problem.rank and not COMPLEX[problem.kind] and n // 2 + 1 or n)
  end
  return all
end

-- One codelet, or the most even radices. A real dimension takes what its recipes say.
local function passes_of(problem, d, most, list)
  if problem.line_kind[d] == "conv" then
    local radices = problem.n[d] > most and even_radices(problem.n[d], most)
    if radices then return { "convolve", { "stockham", table.unpack(radices) } } end
    return problem.n[d] <= most and { "convolve", { "direct", problem.n[d] } } or nil
  end
  if d == problem.rank and problem.kind ~= "c2c" then
    return list[d][most == INSIDE_RADIX[1] and 1 or most == INSIDE_RADIX[2] and 2 or 3] or list[d][1]
  end
  if problem.n[d] <= most then return { "direct", problem.n[d] } end
  local radices = even_radices(problem.n[d], most)
  return radices and { "stockham", table.unpack(radices) }
end

-- Of short arrays a block each, beside as many as fill one: fewer wait for each other (H200: c2c f32 16x32, four of them, 1.44 us for
-- 1.60; c2r f32 10x8x8 1.45 for 2.25; f64 24x25, a GiB, 535 for 551).
local ALONE_BYTES = 16384 -- of an array: longer ones have blocks of their own anyway

local function alone(problem, bytes, plan, result)
  if bytes > ALONE_BYTES or not problem.batch_varies and problem.batch < 2 or problem.kind == "conv" or problem.kind == "rconv" then return end
  local one = copy(plan)
  one.group = 1
  table.insert(result, one)
end

local function inside_plans(problem, device, list, result)
  local element = 2 * (problem.compute == "f64" and 8 or 4)
  if not device.gpu or not INSIDE[problem.kind] then return end
  local parts = problem.rank > 2 and problem.kind ~= "conv" and problem.kind ~= "rconv"
  for _, inside in ipairs(parts and { problem.rank, 2 } or { problem.rank }) do
    local bytes = complex_points(problem, problem.rank - inside + 1) * element
    for _, most in ipairs(bytes + bytes // INSIDE_MORE <= device.local_bytes and INSIDE_RADIX or {}) do
      local p = { "nd", inside = inside }
      for d = 1, problem.rank do p[d + 1] = passes_of(problem, d, most, list) or list[d][1] end
      table.insert(result, p)
      if inside < problem.rank then wide_tiles(problem, device, p, result) else alone(problem, bytes, p, result) end
      -- Long codelets in double fill registers and L1: 24x25 768 us of an H200 by them with copies, 547 by (6,4) and (5,5).
      local crowded = element == 16 and most > F64_RADIX and math.max(table.unpack(problem.n)) > F64_RADIX
      if inside == problem.rank and problem.kind == "c2c" and not crowded then
        local copied = copy(p)
        copied.copies, copied.resident = "on", problem.n[problem.rank] * element >= 2 * SEGMENT and LEAST_RESIDENT or nil
        table.insert(result, copied)
      end
    end
  end
end

-- Sums on CPUs: the same in scratch, which has an array that is transformed, one on the way and the sum, and nothing else where
-- L2 holds these (Zen 5, 16 x 8 arrays of 64x64: 645 us for 854, with the same radices).
local IN_SCRATCH = 3 -- arrays

local function sums_inside(problem, device, result)
  local bytes, longer = complex_points(problem, 1) * 2 * (problem.compute == "f64" and 8 or 4), 0
  for d = 1, problem.rank do longer = longer + (problem.n[d] > 1 and 1 or 0) end
  local launched = device.gpu or device.max_threads > 1 -- OpenCL on a CPU: its blocks keep no sums
  if launched or not problem.summed or longer < 2 or IN_SCRATCH * bytes > device.cache[2] then return end
  for _, p in ipairs(result) do p.inside = problem.rank end
end

-- Rows, then columns in tiles, in blocks of these sizes, whose threads hold the longest radix.
local LINE_BLOCKS = { fft.limit("tile_block"), 2 * fft.limit("tile_block") }
local LINE_RADIX = { fft.limit("thread_radix"), fft.limit("thread_radix_f64") }
local LINE_POINTS, OF_LINES = 32, fft.limit("tile_registers") -- of a thread
local WARP = math.max(1, fft.machine.wave)

-- Threads by the points of a block, and the resident blocks that memory and registers have room for.
local function line_blocks(device, plan, tile, rows, longest, last, element, result)
  local p, points = copy(plan), math.max(tile * longest, rows * last)
  p.tile, p.rows, p.products = tile, rows, "on"
  p.threads = math.min(device.max_threads, math.max(1, -(-(points * element // 8 // LINE_POINTS) // WARP)) * WARP)
  local fits = device.local_bytes // (points * element + SYSTEM)
  p.resident = fft.blocks(math.min(fits, fft.machine.registers // (p.threads * OF_LINES)))
  table.insert(result, p)
end

local function line_plans(problem, device, result)
  local element, first, last = element_bytes(problem), problem.n[1], problem.n[problem.rank]
  if not device.gpu or problem.kind ~= "c2c" or element < 8 then return end
  for _, block in ipairs(LINE_BLOCKS) do
    local p, longest = { "nd" }, 1
    for d = 1, problem.rank do
      local radices = even_radices(problem.n[d], LINE_RADIX[element // 8])
      if not radices then return end
      p[d + 1] = #radices == 1 and { "direct", radices[1] } or { "stockham", table.unpack(d == 1 and rising(radices) or radices) }
      longest = math.max(longest, problem.n[d])
    end
    local most, most_rows = block // (longest * element), block // (last * element)
    local tile, rows = tile_of(last, most, element), divisor(first, most_rows, 1)
    local whole = math.max(most * element // SEGMENT, 1) * SEGMENT // element
    if tile and rows and tile * element >= SECTOR then line_blocks(device, p, tile, rows, longest, last, element, result) end
    local fits = whole * longest * element + SYSTEM <= device.local_bytes
    if tile and rows and tile * element % SEGMENT > 0 and whole > tile and fits then
      p.uneven = "on"
      line_blocks(device, p, math.min(whole, last), math.min(most_rows, first), longest, last, element, result)
    end
  end
end

-- Long columns, a segment's worth of neighbours at a time, by clusters: no block holds so many.
local COLUMN_CLUSTERS = 2 -- sizes that are offered, the smallest first
local LONG_COLUMN, COLUMN_PART = fft.limit("column_clustered"), fft.limit("column_part")

local function clustered_columns(problem, device, list, result)
  local element, n = element_bytes(problem), problem.n[1]
  local bytes = n * SEGMENT
  if not device.gpu or device.cluster < 2 or problem.kind ~= "c2c" or problem.in_place or bytes <= LONG_COLUMN then return end
  local taken = 0
  for c = 2, device.cluster do
    local best
    for n1 = c, bytes <= c * COLUMN_PART and n % (c * c) == 0 and n // c or 0, c do
      local n2 = n // n1
      if n % n1 == 0 and n2 % c == 0 and (not best or math.abs(math.log(n1 * n1 / n)) < math.abs(math.log(best * best / n))) then
        best = n1
      end
    end
    local columns = best and even_radices(best, element == 16 and F64_RADIX or 32)
    local rows = best and even_radices(n // best, element == 16 and F64_RADIX or 32)
    if columns and rows then
      local most = math.max(1, math.min(RESIDENT, device.local_bytes // (bytes // c + SYSTEM)))
      -- As many as shared memory has room for, and one fewer, whose threads have more registers. Rows by the first plan, and
      -- by short radices (H200: 1715x882 by 49 and 18 1574 us, by 14, 9 and 7 1467).
      local short = passes_of(problem, problem.rank, INSIDE_RADIX[2], list)
      for _, last in ipairs({ list[problem.rank][1], short }) do
        for resident = most, math.max(1, most - 1), -1 do
          local four = { "four-step", { "stockham", table.unpack(columns) }, { "stockham", table.unpack(rows) } }
          four.cluster, four.resident = c, resident
          local p = { "nd", four }
          for d = 2, problem.rank do p[d + 1] = d == problem.rank and last or list[d][1] end
          table.insert(result, p)
        end
      end
      taken = taken + 1
      if taken == COLUMN_CLUSTERS then return end
    end
  end
end

-- Planes by clusters of other sizes than the usual one: the parts are what decides.
local CLUSTER_PARTS, MOST_CLUSTERS = fft.limit("plane_part_most"), 4

local function other_clusters(problem, device, usual, plan, result)
  local rows, columns = problem.n[problem.rank - 1], problem.n[problem.rank]
  local bytes, taken = rows * columns * element_bytes(problem), 0
  if not device.gpu or problem.kind ~= "c2c" or problem.in_place then return end
  for c = 2, device.cluster do
    local part = bytes // c
    if rows % c == 0 and columns % c == 0 and c ~= usual and part <= CLUSTER_PARTS and part >= PART // 2 and taken < MOST_CLUSTERS then
      taken = taken + 1
      local most = math.max(1, math.min(6, device.local_bytes // (part + part // INSIDE_MORE + SYSTEM)))
      for resident = most, math.max(1, most - 1), -1 do -- one fewer, too, for registers
        local p = { table.unpack(plan) }
        p.cluster, p.resident = c, resident
        table.insert(result, p)
      end
    end
  end
end

-- On CPUs a complex convolution whose columns go forward and back at once, between rows: those are contiguous. Columns by
-- the fewest passes, too. Rows that go forward and back at once are worth a look where their first radix is whole vectors.
local COLUMN_RADIX = 32

local function convolves_turned_rows(problem, device, plan)
  local inner = plan[problem.rank + 1][2]
  return type(inner) == "table" and inner[1] == "stockham" and inner[2] % device.lanes ~= 0
end

local function columns_convolved(problem, device, result)
  local first, list = 1, {}
  while problem.n[first] == 1 do first = first + 1 end
  if device.gpu or problem.kind ~= "conv" or first >= problem.rank then return end
  local rows = #result
  local even = problem.n[first] > COLUMN_RADIX and even_radices(problem.n[first], COLUMN_RADIX)
  for d = 1, problem.rank do
    list[d] = {}
    for _, child in ipairs(fft.plans(problem.n[d], d == first and "conv" or "c2c")) do
      local longer = d == first and even and #child[2] > #even + 1
      if child[1] ~= "four-step" and not longer and #list[d] < CHOICES then table.insert(list[d], child) end
    end
    if d == first and even then table.insert(list[d], 1, { "convolve", { "stockham", table.unpack(rising(even)) } }) end
    if #list[d] == 0 then return end
  end
  for c = 1, math.max(#list[first], #list[problem.rank]) do
    for _, also in ipairs(c > 1 and { first, problem.rank } or { first }) do
      local p = { "nd" }
      for d = 1, problem.rank do p[d + 1] = list[d][d == also and c or 1] or list[d][1] end
      table.insert(result, p)
    end
  end
  for i = rows, 1, -1 do
    if convolves_turned_rows(problem, device, result[i]) then table.remove(result, i) end
  end
end

-- Rows that one codelet transforms, in a thread each, read memory a row apart. Of an odd number of points several threads
-- share them out.
local LEAST_SHARED = 11 -- points

local function share_rows(problem, device, list)
  local n = problem.n[problem.rank]
  if not device.gpu or problem.kind ~= "c2c" or n % 2 == 0 or n < LEAST_SHARED or list[1][1] ~= "direct" then return end
  table.insert(list, 2, { "dense", n })
end

-- Lines in two kernels, parts of each in a block: where blocks of whole lines would leave most multiprocessors idle, or
-- hold no line, or no segment's worth of columns.
local PARTED = 4        -- plans of a dimension
local LEAST_PARTED = 16 -- shared memory over what such lines take of it, at most
local IS_PARTED = { c2c = true, r2c = true, c2r = true }

local function parted_lines(problem, device, d)
  local n, kind, element, list = problem.n[d], problem.line_kind[d], element_bytes(problem), {}
  if not device.gpu or not IS_PARTED[kind] then return list end
  local side = d < problem.rank and SEGMENT or element
  local blocks = problem.batch * (problem.points // n) * element // side
  local few = 2 * blocks < fft.machine.multiprocessors and n * side * LEAST_PARTED > device.local_bytes
  if not few and n * side <= device.local_bytes then return list end
  for _, child in ipairs(fft.plans(n, kind, true, d)) do
    if child[1] == "four-step" and #list < PARTED then table.insert(list, child) end
  end
  return list
end

-- All dimensions that have such plans by them, beside all plans of the others; and each alone.
local function parted_plans(problem, list, parts, result)
  local dimensions, most = 0, 0
  for d = 1, problem.rank do
    if #parts[d] > 0 then dimensions, most = dimensions + 1, math.max(most, #parts[d]) end
  end
  local uneven = most > 0 and columns_beside(problem) % (SEGMENT // element_bytes(problem)) > 0 and "on" or nil
  local function plan(c, others, alone)
    local p = { "nd", uneven = uneven }
    for d = 1, problem.rank do
      local taken = #parts[d] > 0 and (not alone or alone == d)
      p[d + 1] = taken and parts[d][math.min(c, #parts[d])] or list[d][math.min(others, #list[d])]
    end
    table.insert(result, p)
  end
  for c = 1, most do plan(c, 1) end
  for others = 2, dimensions < problem.rank and most > 0 and CHOICES or 0 do plan(1, others) end
  for d = 1, dimensions > 1 and problem.rank or 0 do
    if #parts[d] > 0 then plan(1, 1, d) end
  end
end

-- The others in the block that has its columns: as many points in both kernels, nearly, tiles of one sector or two. Results
-- of c2r are stored by a thread for each line: short ones, or parts of sectors would be stored again and again.
local PARTED_RADIX = { 16, 32 }

local function columns_inside(problem, device, d, beside, tile, most)
  local n, element, best, least = problem.n[d], element_bytes(problem), nil, nil
  local last, room = columns_beside(problem), device.local_bytes - device.local_bytes // INSIDE_MORE
  local others, rows = complex_points(problem, 1) // n, beside
  if problem.kind == "c2r" then others, rows = others // last * beside, last end
  local function try(n1)
    local first, second = n1 * others * tile, n // n1 * rows * tile
    local misfit = math.abs(math.log(first / second))
    local fits = math.max(first, second) * element <= room and (not least or misfit < least)
    local a, b = fits and even_radices(n1, most), fits and even_radices(n // n1, most)
    if a and b then
      best, least = { "four-step", { "stockham", table.unpack(a) }, { "stockham", table.unpack(rising(b)) } }, misfit
    end
  end
  for n1 = 2, math.floor(math.sqrt(n)) do
    if n % n1 == 0 then try(n1) try(n // n1) end
  end
  return best
end

local function parted_inside(problem, device, list, parts, result)
  local element, d = element_bytes(problem), 0
  for i = 1, problem.rank do
    if #parts[i] > 0 then d = d == 0 and i or -1 end
  end
  local short = problem.kind ~= "c2r" or problem.n[problem.rank] * element // 2 < SECTOR
  local known = problem.kind == "c2c" or IS_PARTED[problem.kind] and d < problem.rank and short
  if d < 1 or not known or not problem.unit_in or not problem.unit_out then return end
  local beside = d < problem.rank and math.min(columns_beside(problem), SEGMENT // element) or 1
  for tiles = 1, 2 do
    local tile = math.max(1, tiles * SECTOR // (element * beside))
    for _, most in ipairs(PARTED_RADIX) do
      local p, split = { "nd", inside = problem.rank }, columns_inside(problem, device, d, beside, tile, most)
      for i = 1, split and problem.rank or 0 do p[i + 1] = i == d and split or list[i][1] end
      if split then
        split.tile, split.rows = tile * beside, tile * beside
        table.insert(result, p)
      end
    end
  end
end

-- Of reals on CPUs: columns are one more than half a row, which leaves most of a wide vector empty. As long as L1 holds
-- them, vectors half as wide are worth a look (Zen 4, over the time by wide ones: r2c f64 12x12 .79, 10x20 .79, rconv f64
-- 10x20 .74; of 160x180 1.07).
local WIDE, NARROWED = fft.limit("wide_vectors"), 4

local function on_half_vectors(problem, device, result)
  local real, halved = problem.compute == "f64" and 8 or 4, { r2c = true, c2r = true, rconv = true }
  if device.gpu or not halved[problem.kind] or device.lanes * real < WIDE then return end
  if problem.points * real > fft.machine.l1_bytes then return end
  for i = 1, math.min(#result, NARROWED) do
    local p = { table.unpack(result[i]) }
    p.lanes = device.lanes // 2
    table.insert(result, p)
  end
end

function plans(problem, device)
  local list, parts = {}, {}
  local half = problem.kind == "r2c" or problem.kind == "c2r"
  for d = 1, problem.rank do
    list[d] = {}
    for _, child in ipairs(fft.plans(problem.n[d], problem.line_kind[d])) do
      if child[1] ~= "four-step" and #list[d] < CHOICES then table.insert(list[d], child) end
    end
    parts[d] = parted_lines(problem, device, d)
    if #list[d] == 0 then list[d] = parts[d] end
    if #list[d] == 0 then return {} end
  end
  share_rows(problem, device, list[problem.rank])
  local function plan(dimension, choice)
    local p = { "nd" }
    for d = 1, problem.rank do
      p[d + 1] = list[d][d == dimension and choice or 1]
    end
    return p
  end
  local result, queues = { plan(0, 1) }, {}
  if may_queue(problem, device) then
    for _, queue in ipairs({ line_queue, plane_queue }) do queues[#queues + 1] = queue(problem, device) end
  end
  local cluster = cluster_of(problem, device, #queues > 0)
  if cluster then
    local p = plan(0, 1)
    p.cluster, p.resident = cluster, cluster > 1 and RESIDENT or 0
    table.insert(result, 1, p)
  end
  for _, p in ipairs(queues) do table.insert(result, p) end
  inside_plans(problem, device, list, result)
  line_plans(problem, device, result)
  clustered_columns(problem, device, list, result)
  local passes = { "nd" }
  for d = 1, problem.rank do passes[d + 1] = passes_of(problem, d, INSIDE_RADIX[3], list) or list[d][1] end
  if cluster or problem.points * element_bytes(problem) > device.local_bytes then
    other_clusters(problem, device, cluster, passes, result)
  end
  for d = 1, problem.rank do
    for c = 2, #list[d] do table.insert(result, plan(d, c)) end
  end
  for c = 1, #list[problem.rank] do wide_tiles(problem, device, plan(problem.rank, c), result) end
  parted_plans(problem, list, parts, result)
  parted_inside(problem, device, list, parts, result)
  columns_convolved(problem, device, result)
  sums_inside(problem, device, result)
  if not device.gpu and device.registers <= FEW_REGISTERS then add_choices_apart(result, list, problem.rank) end
  if not device.gpu and device.small_l2 and (half or problem.kind == "c2c") then add_columns(result, list, problem) end
  on_half_vectors(problem, device, result)
  return result
end
