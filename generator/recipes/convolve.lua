-- conv: a transform, times the spectrum, and back, by any plan of the transform. In a block, and between passes on CPUs,
-- the last pass transforms forward and back at once: it is short, so that both fit a thread's registers. On vectors of
-- pairs of parts there are two transforms, the second of which multiplies as it loads.
priority = 1

local MOST_MIDDLE, MOST_RADIX = 16, 32
local MOST_BOTH = 24 -- radix of a last pass whose two transforms fit a thread of a GPU
local TAKEN = 18 -- plans of the transform inside
local FEW = 3    -- of passes that are kernels, beside others
local QUEUED = 4 -- of those in queues on GPUs, beside others
local TILED = 6  -- of those in tiles on CPUs, beside others
local SHORT = 32 -- points of a codelet that transforms forward and back
local LONG_BLOCK = fft.limit("few_blocks_from") // 2 -- bytes of a block with hardly another one beside it

function applies(problem, device)
  return (problem.kind == "conv" or problem.kind == "rconv") and problem.rank == 1
end

-- Parameters of the whole plan are written once, behind the whole plan.
local OF_PARTS = { cluster = true, tile = true, rows = true, resident = true }

local function around(problem, child)
  local plan, inner = { "convolve" }, {}
  for key, value in pairs(child) do
    if type(key) == "number" or OF_PARTS[key] then inner[key] = value else plan[key] = value end
  end
  if problem.floats then plan.narrow = nil end
  plan[2] = inner
  return plan
end

-- In clusters: blocks hardly wait for each other where each has memory of its own for what it sends, if three blocks have
-- room, or where a pass is stored behind its barrier.
local SYSTEM = fft.machine.shared_kept_bytes -- of a block
local LEAST_APART, TOGETHER = 3, 4           -- blocks at once

local function part_of(problem, cluster) return problem.points * (problem.compute == "f64" and 16 or 8) // cluster end

-- The smallest clusters of whose blocks a multiprocessor has several: in larger ones more blocks wait for each other, twice
-- in a kernel (32768 points on an H200: 8 blocks 1378 us, 16 blocks 1616 to 1908).
local function largest_cluster(problem, device, children)
  local least = math.huge
  for _, child in ipairs(children) do
    local blocks = child.cluster and device.local_bytes // (part_of(problem, child.cluster) + SYSTEM) or 0
    if blocks >= TOGETHER then least = math.min(least, child.cluster) end
  end
  return least
end

local function in_clusters(problem, device, child, result)
  local part = part_of(problem, child.cluster)
  for _, way in ipairs({ "separate_buffers", "deferred_store" }) do
    local plan, apart = around(problem, child), way == "separate_buffers"
    local room = device.local_bytes // ((apart and 2 or 1) * part + SYSTEM)
    plan[way] = "on"
    plan[2].resident = fft.blocks(apart and room or math.min(room, TOGETHER))
    if not apart or room >= LEAST_APART then table.insert(result, plan) end
  end
end

-- In clusters threads have few registers, and the last pass has a number, a factor and a spectrum's number for each point of
-- its radix: at most 8 points (H200: 32768 points 1187 us with 8 last, 1460 with 16; 65536 1593, 1672; 131072 1655, and
-- 1784 by a queue). The two parts change places, or the last radix becomes two.
local MOST_LAST = 8

local function last_of(part) return part[1] == "stockham" and part[#part] or 0 end

local function with_short_last(child)
  local first, second, result = child[2], child[3], {}
  if child[1] ~= "four-step" or last_of(second) <= MOST_LAST then return result end
  local function add(a, b)
    table.insert(result, { child[1], a, b, cluster = child.cluster, resident = child.resident,
      cluster_scheduling = child.cluster_scheduling })
  end
  if last_of(first) > 0 and last_of(first) <= MOST_LAST then add(second, first) end
  for r = MOST_LAST, 2, -1 do
    if last_of(second) % r == 0 then
      local parts = { table.unpack(second) }
      parts[#parts], parts[#parts + 1] = parts[#parts] // r, r
      add(first, parts)
      break
    end
  end
  return result
end

-- All three kernels of blocks that stay, what is between them in L2, for which there is one ring: as long as may be, the
-- next tile taken early. Of lengths that no cluster holds, and beside clusters.
local RING, SLOTS, LEAST_RING = fft.limit("queue_ring"), fft.limit("queue_slots"), 3
local OF_TWO = { "swap", "prefetch_distance", "frequency", "evict_last" } -- what queues of two kernels alone have

local function in_a_queue(problem, child, result)
  local plan, bytes = around(problem, child), problem.points * (problem.compute == "f64" and 16 or 8)
  local ring = math.min(RING // bytes, SLOTS)
  if ring < LEAST_RING or problem.batch < 2 * ring then return end
  for _, name in ipairs(OF_TWO) do plan[name] = nil end
  plan.queue, plan.deferred_wait = ring, "next"
  plan.resident, plan[2].resident = plan[2].resident, nil -- of the one kernel
  table.insert(result, plan)
end

-- Long blocks leave L1 no room for tables: factors are products of few (H200: 8192 points 822 us for 833, 16384 934 for
-- 1047). Inside of others there are no parameters of the whole plan, as this is one.
local function is_long(problem, device)
  return device.gpu and not problem.child and problem.points * (problem.compute == "f64" and 16 or 8) > LONG_BLOCK
end

-- A long block that stays, and loads ahead, where each transform has a spectrum (H200, us: f32 5000 points 305 for 457,
-- 10000 396 for 509, 12288 415 for 500, 16384 805 for 935, f64 5000 325 for 435, 8192 431 for 493). Where all transforms
-- share a spectrum, or numbers are halves, it loses a tenth.
local function may_load_ahead(problem, device)
  local plain = problem.precision == "f32" or problem.precision == "f64"
  return is_long(problem, device) and device.cluster > 1 and plain and problem.sharing == 1
end

-- Of one plan with blocks that stay, and without; and the forms of vectors that are worth a look: pairs where transforms
-- like them (generator/assemble/assemble.c), the other form beside them where that is not clear.
local SHORT_LOOK, LOOK = fft.limit("interleaved_most_fadd"), fft.limit("interleaved_look")

local function forms(problem, device, plan, result)
  local inner, bytes = plan[2], problem.points * (problem.compute == "f64" and 16 or 8)
  local known = device.gpu or device.lanes < 4 or inner[1] ~= "stockham" or plan.complex_vectors or plan.lanes
  local turned = not known and inner[2] % device.lanes ~= 0
  local likes = not known and problem.kind == "conv" and (bytes <= SHORT_LOOK or turned and bytes <= LOOK)
  if likes then
    local pairs = { table.unpack(plan) }
    pairs.complex_vectors = "interleaved"
    table.insert(result, pairs)
  end
  table.insert(result, plan)
  if inner[1] == "stockham" and may_load_ahead(problem, device) then
    local ahead = {}
    for key, value in pairs(plan) do ahead[key] = value end
    ahead.load_ahead = "on"
    table.insert(result, ahead)
  end
end

-- Of what a block of a GPU holds: clusters (16384 points 1221 us), tables of long blocks, and last passes whose two
-- transforms want more registers than a thread has (8192 points: 32 last 1396 to 1446). Other steps than stockham where
-- there is none of it: they were not measured in long blocks.
local function is_worse(problem, device, child, others)
  if child[1] ~= "stockham" then return child.cluster ~= nil or others > 0 and is_long(problem, device) end
  return child[#child] > MOST_BOTH or not child.products and is_long(problem, device)
end

-- On GPUs, whether a block holds a transform.
local function is_held(problem, device)
  return not device.gpu or problem.points * (problem.compute == "f64" and 16 or 8) <= device.local_bytes
end

-- Numbers between passes are halves only where a block does not hold them as floats: in a block that holds them as halves
-- (H200, 396 sequences of 65536 reals: 116 us, in clusters 206, errors 5.8e-4 and 2.1e-4) and in clusters (396 of 32768
-- numbers 99 us for 126). Shorter ones gain 0 to 6 percent by it, at twice the error. Without a scale, which is with the
-- product, results may be n times as large as inputs: 65536 ones, of which the spectrum has the sum, exceed a half.
local function needs_floats(problem, device)
  return is_held(problem, device) or problem.precision == "f16" and not problem.scaled
end

local function needs_halves(problem, device)
  local halves = problem.precision == "f16" or problem.precision == "bf16"
  local whole = not problem.child -- a parameter of the whole plan
  return device.gpu and halves and whole and not needs_floats(problem, device) and problem.points * 4 <= device.local_bytes
end

local function short_last(problem, device, n, result, two)
  local products = is_long(problem, device) and "on" or nil
  local narrow = needs_halves(problem, device) and "on" or nil
  local most = may_load_ahead(problem, device) and 2 * TAKEN or TAKEN
  for _, radices in ipairs(fft.radices(n, MOST_RADIX)) do
    local last = radices[#radices]
    if #radices > 1 and #radices <= 5 and last <= MOST_MIDDLE and not (two and last % 2 == 1) then
      local passes = { "stockham", table.unpack(radices) }
      local plan = { "convolve", two and { "paired", passes } or passes, products = products, narrow = narrow }
      forms(problem, device, plan, result)
      if #result >= most then return end
    end
  end
end

local function is_split(plan)
  return plan[1] == "four-step" or type(plan[#plan]) == "table" and plan[#plan][1] == "four-step"
end

-- In clusters r2c wants the radix even that its columns end with, and c2r the one that they begin with.
local function goes_both_ways(child)
  local columns = child[1] == "real" and child[3][1] == "four-step" and child[3].cluster and child[3][2]
  return not columns or columns[2] % 2 == 0 and columns[#columns] % 2 == 0
end

-- In a block two sequences of one filter are the parts of a complex one: no pass separates halves of spectra. Of many
-- long ones this wins whatever the rest is (16 x 768 on an H200, in half and single precision: 1024 points 34 and 32 us
-- for 35 and 37, 4096 129 and 129 for 137 and 145, 8192 264 and 255 for 307 and 353, 16384 624 and 583 for 695 and 707).
local MANY, LONG = 8, 1024 -- pairs for a multiprocessor; points
local INSIDE_MORE = 16 -- a part of shared memory for paddings

local function is_padded(problem, device)
  local bytes = problem.points * (problem.compute == "f64" and 16 or 8)
  return bytes + bytes // INSIDE_MORE <= device.local_bytes
end

local function of_pairs(problem, device, result)
  if not device.gpu or problem.sharing < 2 or not is_held(problem, device) then return false end
  short_last(problem, device, problem.points, result, true)
  local many = problem.batch // 2 >= MANY * fft.machine.multiprocessors
  return #result > 0 and many and problem.points >= LONG and is_padded(problem, device)
end

-- Of reals beyond L2 of CPUs: matrices whose last pass, which reads a row of the spectrum for each point of its radix, is
-- of a small one, with two passes on either side and columns about as long as what they meet (Zen 4, medians: f64 2^19 points
-- 2.0 ms by radix 8, 2.3 by 32 and one codelet; f64 2^20 7.0 and 8.1; f32 2^20 5.3 and 5.5).
local TILES_FROM = fft.limit("tiles_from")
local F64_TILES_FROM = 2 * fft.limit("tiles_from_f64") -- where L2 is small (Zen 4: f64 8192 .75, 12288 .85 of passes)
local SMALL_REAL = { 8, 16, 6, 4 }
local MOST_SIDE_PASSES, OF_RADIX = 2, 2 -- passes of a side, plans of a radix
local MOST_MISFIT = math.log(8)         -- of the square of a column
local SHORT_ROW = 16                    -- points of a row of one codelet

local function passes_of(n)
  for _, plan in ipairs(fft.plans(n)) do
    if plan[1] == "stockham" and #plan <= 1 + MOST_SIDE_PASSES then return plan end
  end
end

-- Pairs of rows, of which there are half as many, are whole vectors in each of several tiles.
local function has_tiles(n1, n2, lanes)
  local pairs = n1 // 2
  return pairs % lanes == 0 and (n1 % 2 == 1 or n2 % 2 == 0 and pairs > lanes)
end

local function matrices_of(problem, device, r, result)
  local m, list = problem.points // r, {}
  local function misfit(n1) return math.abs(math.log(2 * n1 * n1 / problem.points)) end
  for n1 = 2 * device.lanes, m // 2 do
    if m % n1 == 0 and has_tiles(n1, m // n1, device.lanes) then table.insert(list, n1) end
  end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  local taken = 0
  for _, n1 in ipairs(list) do
    local near = taken < OF_RADIX and misfit(n1) < MOST_MISFIT
    local columns, short = near and passes_of(n1), m // n1 <= SHORT_ROW
    local rows = near and (short and { "direct", m // n1 } or passes_of(m // n1))
    if columns and rows then
      taken = taken + 1
      table.insert(result, { "convolve", { "real", r, { "four-step", columns, rows } } })
    end
  end
end

local function in_tiles(problem, device, result)
  local bytes = problem.points * (problem.compute == "f64" and 8 or 4)
  local least = problem.compute == "f64" and device.small_l2 and F64_TILES_FROM or TILES_FROM
  if device.gpu or problem.child or bytes < least or device.lanes < 2 then return end
  for _, r in ipairs(SMALL_REAL) do
    if problem.points % r == 0 then matrices_of(problem, device, r, result) end
  end
end

-- Of complex numbers on CPUs: columns in tiles, and rows of one codelet, whose two transforms are one stage with the product
-- between (Zen 4: f64 2048 .91 of passes, 4096 .95 of rows by two passes, f32 8192 .83).
local MOST_TILED, COLUMNS_OF_RADIX = 8, 2
local LEAST_MIDDLE = 6

local function rows_of_one_codelet(problem, device, result)
  local element = problem.compute == "f64" and 16 or 8
  local most = 2 * fft.machine.l1_bytes // (element * device.lanes) -- points of a column
  if device.gpu or problem.child or problem.points * element < fft.limit("tiles_from_f64") or device.lanes < 2 then return end
  local taken = 0
  for r = MOST_MIDDLE, LEAST_MIDDLE, -1 do
    local n1 = problem.points // r
    local whole = problem.points % r == 0 and n1 % device.lanes == 0 and n1 <= most
    for i, columns in ipairs(whole and fft.plans(n1) or {}) do
      if columns[1] == "stockham" and i <= COLUMNS_OF_RADIX and taken < MOST_TILED then
        taken = taken + 1
        table.insert(result, { "convolve", { "four-step", columns, { "direct", r } } })
      end
    end
  end
end

-- Of reals, by any plan of c2r, which has the stages of r2c in the opposite order. Where no block holds the numbers,
-- passes that are kernels of their own are a last resort; where one holds them as halves, nothing else is near.
local function of_reals(problem, device)
  local result, passes, blocks, half = {}, {}, {}, { points = problem.points // 2 + 1 }
  for _, key in ipairs({ "compute", "precision", "scaled", "child" }) do half[key] = problem[key] end
  if of_pairs(problem, device, result) then return result end
  local taken, held, narrow = #result + TAKEN, is_held(half, device), needs_halves(half, device)
  problem.floats = needs_floats(half, device)
  for _, child in ipairs(fft.plans(problem.points, "c2r", not problem.child)) do
    local list = (held or is_split(child)) and result or passes
    if narrow and child[1] == "real" and not is_split(child) then
      table.insert(blocks, around(problem, child))
      blocks[#blocks].narrow = "on"
    end
    local plain = not child.queue and not child.copies and not child.bulk and goes_both_ways(child)
    if plain and #list < taken then table.insert(list, around(problem, child)) end
  end
  for i = 1, math.min(#passes, #result == 0 and TAKEN or FEW) do table.insert(result, passes[i]) end
  in_tiles(problem, device, result)
  return #blocks > 0 and blocks or result
end

-- Sums of convolutions: by any plan of a transform that a block holds, or of several kernels. Passes that are kernels are a
-- last resort.
local function of_sums(problem, device)
  local result, passes, n, real = {}, {}, problem.points, problem.kind == "rconv"
  local one = { points = real and n // 2 + 1 or n, compute = problem.compute }
  local held = is_held(one, device)
  for _, child in ipairs(fft.plans(n, real and "c2r" or "c2c", not problem.child)) do
    local plain = not child.queue and not child.copies and not child.bulk and not child.cluster and child[1] ~= "paired"
    local list = (held or is_split(child)) and result or passes
    if plain and #list < TAKEN then table.insert(list, around(problem, child)) end
  end
  for i = 1, math.min(#passes, FEW) do table.insert(result, passes[i]) end
  return result
end

function plans(problem, device)
  if problem.summed then return of_sums(problem, device) end
  if problem.kind == "rconv" then return of_reals(problem, device) end
  local n, result, held = problem.points, {}, is_held(problem, device)
  problem.floats = needs_floats(problem, device)
  if n <= device.codelet_limit and n <= SHORT then table.insert(result, { "convolve", { "direct", n } }) end
  if n > 3 and (held or needs_halves(problem, device)) then short_last(problem, device, n, result) end
  local others = #result -- direct, and stockham in a block
  local taken, tiled, queued, children, kernels = 0, 0, 0, fft.plans(n, "c2c", not problem.child), {}
  local largest = largest_cluster(problem, device, children)
  for _, child in ipairs(children) do
    if child.queue and not held and not problem.child and queued < QUEUED then
      queued = queued + 1
      in_a_queue(problem, child, result)
    end
    local passes = child[1] == "direct" or not held and child[1] == "stockham"
    if device.gpu and passes and child[1] == "stockham" then table.insert(kernels, around(problem, child)) end
    local worse = device.gpu and held and is_worse(problem, device, child, others)
    local tiles = not device.gpu and child[1] == "four-step"
    local room = (tiles and tiled < TILED or not tiles and taken < TAKEN) and (child.cluster or 0) <= largest
    if not passes and not worse and not child.queue and not child.copies and not child.bulk and room then
      if tiles then tiled = tiled + 1 else taken = taken + 1 end
      forms(problem, device, around(problem, child), result)
      if child.cluster then
        in_clusters(problem, device, child, result)
        for _, short in ipairs(with_short_last(child)) do
          table.insert(result, around(problem, short))
          in_clusters(problem, device, short, result)
        end
      end
    end
  end
  if n > SHORT then rows_of_one_codelet(problem, device, result) end
  if #result == 0 and n <= device.codelet_limit then table.insert(result, { "convolve", { "direct", n } }) end
  for i = 1, math.min(#kernels, #result == 0 and FEW or 0) do table.insert(result, kernels[i]) end
  return result
end
