-- A prime n as a cyclic convolution of n-1 points (Rader), where n-1 has only
-- small factors; else padded to a good length of at least 2n-3 points.
priority = 4

local LEAST = 37 -- shorter ones are one codelet, with less error
local LEAST_INNER = 61 -- of GPUs, inside of other plans: up to there one thread holds a codelet
local MAX_POINTS = 1 << 31 -- numbers of elements have 32 bits
local SMOOTH = 61 -- larger primes among the radices cost more error than padding
local TAKEN, TAKEN_ON_GPU = 3, 12 -- there the last radix is that of both middle passes at once

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" or problem.rank ~= 1 or n < LEAST or n >= MAX_POINTS then return false end
  local inner = problem.child and device.gpu and n > LEAST_INNER
  return #fft.factor(n) == 1 and (inner or not fft.held(n))
end

-- Adds the first plans of `length` points, first those that can take the
-- middle's multiplication into their first pass.
local function add_plans(result, n, length, most)
  local plans, taken = fft.plans(length), 0
  for pass = 1, 2 do
    for _, child in ipairs(plans) do
      local multiplies = child[1] == "stockham" or child[1] == "direct"
      local fits = child[1] ~= "four-step" and multiplies == (pass == 1)
      if fits and taken < most then
        table.insert(result, { "rader", n, child })
        taken = taken + 1
      end
    end
  end
end

-- In a block of a GPU, n-1 points as an array of few dimensions without a common factor: codelets along
-- each of them, and no twiddle factors between. The last one, whose columns are transformed forward and back, is
-- odd in float, as threads along it then use all banks of memory.
local MOST_AXIS = 36    -- points of a codelet
local LEAST_BLOCK = 64  -- points of a transform
local LEAST_ALONE = 256 -- points from which on a padded convolution is not offered
local LEAST_AXES = 256 -- points in float from which on three axes are ahead of two
local LONG_BLOCK = 768 -- from there on two axes, where there are such
local MOST_GROUPED = 32 -- of lengths of which a block has several
local MOST_AXES, TAKEN_IN_BLOCK = 4, 2 -- dimensions; ways to have so many, the shortest codelets first
local BLOCKS, BLOCK = fft.limit("resident_most"), fft.limit("block_large") -- threads of one with several rows
local WARP = fft.machine.wave > 0 and fft.machine.wave or 32
local REGISTERS, STEP = fft.machine.registers, math.max(1, fft.machine.register_step)
local SYSTEM = fft.machine.shared_kept_bytes -- of each block
local CACHE = fft.limit("tables_cache")

local function prime_powers(n)
  local list, before = {}, 0
  for _, p in ipairs(fft.factor(n)) do
    if p == before then list[#list] = list[#list] * p else table.insert(list, p) end
    before = p
  end
  return list
end

-- All ways to multiply them together to so many lengths, none of more than `most` points.
local function groups(powers, count, most)
  local found, group = {}, {}
  local function place(i)
    if i > #powers then
      if #group == count then table.insert(found, { table.unpack(group) }) end
      return
    end
    for g = 1, #group do
      if group[g] * powers[i] <= most then
        group[g] = group[g] * powers[i]
        place(i + 1)
        group[g] = group[g] // powers[i]
      end
    end
    if #group < count and powers[i] <= most then
      table.insert(group, powers[i])
      place(i + 1)
      table.remove(group)
    end
  end
  place(1)
  return found
end

local function sum(list)
  local all = 0
  for _, x in ipairs(list) do all = all + x end
  return all
end

-- As many blocks at once as memory holds, as many threads as have registers for the longest codelet;
-- short rows as groups.
local function block_plan(n, lengths, bytes, device)
  local child, longest = { "direct", lengths[#lengths] }, lengths[#lengths]
  for i = #lengths - 1, 1, -1 do
    child, longest = { "prime-factor", { "direct", lengths[i] }, child }, math.max(longest, lengths[i])
  end
  local words = bytes == 16 and 5 or 2
  local each = (longest * words + 10 + STEP - 1) // STEP * STEP
  local one = (n - 1) // longest
  local plan = { "rader", n, child, threads = one, group = math.max(1, BLOCK // one) }
  local room = math.max(1, math.max(device.local_bytes - CACHE, 0) // (plan.group * n * bytes + SYSTEM))
  if plan.group == 1 then plan.threads = math.min(device.max_threads, REGISTERS // (each * room) // WARP * WARP) end
  local warps = (plan.threads * plan.group + WARP - 1) // WARP
  local blocks = math.min(BLOCKS, room, REGISTERS // (each * warps * WARP))
  if blocks > 1 then plan.resident = blocks end
  return plan
end

-- Several short rows of two axes in a block, in float: threads as in other plans, which have more registers (measured on
-- an H200: 421 points .64 of a copy for .50, 547 .63 for .53). Others also so.
local function insert_block_plans(result, plan, count, bytes)
  local grouped = plan.group > 1
  if not grouped or count > 2 or bytes == 16 then table.insert(result, plan) end
  if grouped then table.insert(result, { "rader", plan[2], plan[3] }) end
end

local function block_plans(problem, device)
  local n, bytes, result = problem.points, problem.compute == "f64" and 16 or 8, {}
  if not device.gpu or problem.child or n < LEAST_BLOCK or n * bytes > device.local_bytes then return result end
  local powers, most = prime_powers(n - 1), math.min(MOST_AXIS, math.max(n // WARP, MOST_GROUPED), device.codelet_limit)
  for count = 2, bytes == 8 and n < LEAST_AXES and 2 or MOST_AXES do
    local all = groups(powers, count, most)
    table.sort(all, function(a, b) return sum(a) < sum(b) end)
    for i = 1, math.min(#all, TAKEN_IN_BLOCK) do
      local lengths = all[i]
      table.sort(lengths, function(a, b) return a > b end)
      for last = 1, count do
        if lengths[last] % 2 == 1 or bytes == 16 then
          local order = { table.unpack(lengths) }
          table.insert(order, table.remove(order, last))
          insert_block_plans(result, block_plan(n, order, bytes, device), count, bytes)
          if count == 3 then -- threads may use fewer banks in the other order
            order[1], order[2] = order[2], order[1]
            table.insert(result, block_plan(n, order, bytes, device))
          end
        end
      end
    end
    if #result > 0 and (count > 2 or n >= LONG_BLOCK) then return result end -- of short ones also three axes
  end
  return result
end

-- Of two passes through a length with many threes the error shows in double, as with
-- Bluestein's.
local function padded(n, precision)
  local L = fft.good_size(2 * n - 3, 5)
  while precision == "f64" and L % 243 == 0 do L = fft.good_size(L + 1, 5) end
  return L
end

-- In a block with twiddle factors between: passes of few radices, in any of whose orders the last one is that of the
-- middle. Short ones as groups.
local MOST_RADIX, MOST_RADIX_F64, MOST_INNER = 32, 16, 16 -- radices that leave threads registers for the factors
local MOST_BOTH, LEAST_ODD = 10, 7 -- a radix forward and back in float, no power of two; an odd one in double that is too long
local MOST_TWO = 40 -- the sum of two radices in float
local TAKEN_SETS, TAKEN_INNER, GROUPED = 3, 2, fft.limit("grouped_threads") -- so many sets of radices are timed

local function orders_of(set)
  local falling, rising, turned = { table.unpack(set) }, {}, { table.unpack(set) }
  for i = #set, 1, -1 do table.insert(rising, set[i]) end
  if set[1] == set[#set] then return { falling } end
  if #set < 3 then return { falling, rising } end
  turned[2], turned[#set] = set[#set], set[2]
  return { falling, rising, turned }
end

local function sets_of(n, most, taken)
  local list = {}
  for _, set in ipairs(fft.radices(n, most)) do
    if #set > 1 or n <= most then table.insert(list, set) end
  end
  local function cost(set) return 8 * #set + set[1] / set[#set] end
  table.sort(list, function(a, b) return cost(a) < cost(b) end)
  return { table.unpack(list, 1, taken) }
end

-- The last radix is that of the middle, forward and back: a thread holds both.
local function fits_middle(order, double)
  local last = order[#order]
  if double then return last < LEAST_ODD or last % 2 == 0 end
  return (last <= MOST_BOTH or last == MOST_INNER) and (#order ~= 2 or order[1] + last <= MOST_TWO)
end

-- Those that fit the middle, and others.
local function add_orders(problem, double, sets, fitting, others)
  for _, set in ipairs(sets) do
    for _, order in ipairs(orders_of(set)) do
      table.insert((problem.child or fits_middle(order, double)) and fitting or others, order)
    end
  end
end

-- Where no order of few radices fits the middle, threads of long blocks lack a third of their registers and more: four
-- passes then, the shortest last (15877 points on an H200: 28, 27, 21 3982 us, 21, 14, 9, 6 2392).
local FOUR_PASSES, MOST_OF_FOUR, LEAST_LAST = fft.limit("few_blocks_from"), 21, 4

local function four_passes(n)
  local list = {}
  for last = MOST_BOTH, LEAST_LAST, -1 do
    for _, set in ipairs(n % last == 0 and fft.radices(n // last, MOST_OF_FOUR) or {}) do
      if #set == 3 and set[3] >= last then table.insert(list, { set[1], set[2], set[3], last }) end
    end
  end
  return list
end

local function orders_for(problem, most, double)
  local n, fitting, others = problem.points - 1, {}, {}
  add_orders(problem, double, sets_of(n, most, problem.child and TAKEN_INNER or TAKEN_SETS), fitting, others)
  if #fitting > 0 then return fitting end
  if double or problem.child or 8 * n < FOUR_PASSES then return others end
  for _, order in ipairs(four_passes(n)) do table.insert(others, order) end
  return others
end

local function turned_plans(problem, device, result)
  local n, double = problem.points, problem.compute == "f64"
  if not device.gpu or n * (double and 16 or 8) > device.local_bytes then return end
  local most = math.min(problem.child and MOST_INNER or double and MOST_RADIX_F64 or MOST_RADIX, device.codelet_limit)
  local largest = fft.factor(n - 1)
  largest = largest[#largest]
  if largest > SMOOTH or largest > device.codelet_limit then return end
  for _, order in ipairs(orders_for(problem, math.max(most, largest), double)) do
    local longest = math.max(table.unpack(order))
    local threads = -(-(n - 1) // longest // WARP) * WARP
    local child = #order == 1 and { "direct", order[1] } or { "stockham", table.unpack(order) }
    table.insert(result, { "rader", n, child })
    if not problem.child then
      table.insert(result, { "rader", n, child, threads = math.min(device.max_threads, math.max(threads, GROUPED)) })
      if threads < GROUPED and threads * 4 >= GROUPED then
        table.insert(result, { "rader", n, child, threads = threads })
      end
    end
  end
end

function plans(problem, device)
  local n, result = problem.points, block_plans(problem, device)
  local primes = fft.factor(n - 1)
  turned_plans(problem, device, result)
  if #result > 0 or (device.gpu and not problem.child and n >= LEAST_ALONE) then return result end
  local smooth = primes[#primes] <= SMOOTH
  if smooth then
    add_plans(result, n, n - 1, problem.child and 1 or device.gpu and TAKEN_ON_GPU or TAKEN)
  else
    add_plans(result, n, padded(n, problem.compute), 1)
  end
  return result
end
