-- Transforms between reals and complex numbers of more points than a codelet has.
-- Even lengths: n = R m, complex transforms of m points and one pass of real radix R.
-- Odd ones: Stockham's passes over half of the numbers; those with a large prime
-- factor by Bluestein. All take the plans of complex transforms for what is inside.
priority = 2

local MAX_POINTS = 1 << 60 -- lengths of what is inside must fit 2^62
local MOST_DIRECT = 24    -- points up to which one codelet does as well
local GPU_DIRECT = fft.limit("thread_reals") -- the same on GPUs in single precision, where whole rows are loaded and stored
local FEW = 16             -- transforms for each multiprocessor: of fewer, long codelets have nothing beside them
local GPU_HALF = fft.limit("thread_half")
local GPU_PRIME = 13      -- largest prime factor there
local GPU_PRODUCTS = fft.limit("real_products_from")
local GPU_THREADS = fft.limit("alone_threads")
local MOST_RADICES = 5    -- real radices that are looked at
local WIDE = fft.limit("wide_vectors")
local SHORT_ON_WIDE = fft.limit("real_half_vectors_most")
local MOST_SPARSE = 61    -- a prime whose codelet any compiler gets through
local MOST_INSIDE = 32    -- points of one codelet for each complex transform, if there is another way
-- Real radices, best first. Larger ones hold more numbers than there are registers.
local WANTED = { 16, 8, 4, 32, 12, 20, 24, 10, 6, 14, 18, 30, 28, 2 }

function applies(problem, device)
  local n = problem.points
  if (problem.kind ~= "r2c" and problem.kind ~= "c2r") or problem.rank ~= 1 or n < 2 or n > MAX_POINTS then return false end
  local primes = fft.factor(n)
  local whole = device.gpu and problem.unit_in and problem.unit_out and not problem.in_place and not problem.child
  local few = device.gpu and not problem.batch_varies and problem.batch < FEW * fft.machine.multiprocessors
  if whole and not few and primes[#primes] <= GPU_PRIME then
    return n > (problem.compute == "f64" and GPU_DIRECT // 2 or GPU_DIRECT)
  end
  return n > MOST_DIRECT
end

-- Even divisors R of n to try: n / R as smooth as n is.
local function radices(n, device)
  local list, seen = {}, {}
  local function add(r)
    if #list < MOST_RADICES and not seen[r] and r <= device.codelet_limit and n % r == 0 then
      table.insert(list, r)
      seen[r] = true
    end
  end
  for _, r in ipairs(WANTED) do
    if not (device.gpu and r > 32) then add(r) end
  end
  -- A large prime factor is easier as a radix than in a plan.
  local primes = fft.factor(n)
  local largest = primes[#primes]
  if largest > 13 and 2 * largest <= device.codelet_limit then
    list[MOST_RADICES] = 2 * largest
  end
  return list
end

-- A block that leaves no room for another one.
local function alone(problem, device)
  return problem.points * (problem.precision == "f64" and 8 or 4) > device.local_bytes // 2
end

-- Vectors half as wide: fewer stages mix them with narrower ones, and there are three units.
local function halves_lanes(problem, device)
  local real = problem.compute == "f64" and 8 or 4
  local wide = not device.gpu and device.lanes * real >= WIDE
  return wide and not problem.child and real * problem.points <= SHORT_ON_WIDE
end

-- Codelets of large primes, which a compiler may not get through (pipeline.c): others are offered, too.
local function is_dense(plan)
  for i = 2, #plan do
    local r = plan[i]
    if type(r) == "number" and r > MOST_SPARSE and #fft.factor(r) == 1 and plan[1] ~= "bluestein" then return true end
  end
  return false
end

-- On GPUs: half as many complex numbers, all in a thread's registers. Primes are among the plans of others.
local function one_codelet(problem, device, result)
  local half, most = problem.points // 2, problem.compute == "f64" and GPU_HALF // 2 or GPU_HALF
  if not device.gpu or problem.child or half <= MOST_INSIDE or half > most or #fft.factor(half) == 1 then return end
  table.insert(result, { "real", 2, { "direct", half } })
end

local function even(problem, device)
  local result, halved = {}, halves_lanes(problem, device)
  for i, r in ipairs(radices(problem.points, device)) do
    local taken, most = 0, problem.child and 1 or (i <= 3 and 3 or 2)
    for _, child in ipairs(fft.plans(problem.points // r)) do
      local crowded = child[1] == "direct" and child[2] > MOST_INSIDE and #fft.factor(child[2]) > 1
      if child[1] ~= "four-step" and not crowded and taken < most then
        local plan = { "real", r, child }
        if device.gpu and problem.points >= GPU_PRODUCTS then plan.products = "on" end
        if device.gpu and alone(problem, device) then plan.threads = GPU_THREADS end
        table.insert(result, plan)
        if halved then table.insert(result, { "real", r, child, lanes = device.lanes // 2 }) end
        if device.gpu or not (problem.child and is_dense(child)) then taken = taken + 1 end
      end
    end
  end
  one_codelet(problem, device, result)
  return result
end

local TILES_FROM = fft.limit("tiles_from") -- bytes from which on a convolution inside has kernels of its own

local function odd(problem, device)
  local result, wide = {}, device.gpu and problem.kind == "r2c" and not problem.child -- as complex numbers, in one memory
  local tiles = not device.gpu and not problem.child and problem.points * (problem.compute == "f64" and 16 or 8) >= TILES_FROM
  for _, child in ipairs(fft.plans(problem.points, "c2c", tiles)) do
    local known = child[1] == "stockham" or (child[1] == "bluestein" and not wide)
    if known and #result < (problem.child and 2 or 6) then table.insert(result, child) end
  end
  return result
end

function plans(problem, device)
  if problem.points % 2 == 0 then return even(problem, device) end
  return odd(problem, device)
end
