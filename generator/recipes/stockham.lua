-- Passes of small radices, each sorting as it goes (Stockham). Which radices, and
-- in which order, is the whole choice: few passes, cheap codelets, and a first
-- radix that fills whole vectors, because its pass has no other run of columns.
priority = 2

local MAX_PRIME = 61     -- larger prime factors are for cooley-tukey and bluestein
local MAX_LEAVES = 200   -- sets of radices looked at; fewer inside of other plans
local MAX_CHILD_LEAVES = 40
local MAX_DIVISORS = 1000
local PASS_COST = 8      -- a pass's loads, stores and addresses, in operations per point
local TWIDDLE_COST = 6   -- one complex product per point
local SPILL_COST = 0.25  -- per point and per point above 16 that a codelet holds

-- Real operations of codelets, as measured; others by the Cooley-Tukey count.
local OPS = {
  [1] = 0, [2] = 4, [3] = 16, [4] = 16, [5] = 44, [6] = 44, [7] = 96, [8] = 56, [9] = 120, [10] = 108,
  [11] = 240, [12] = 112, [13] = 244, [14] = 220, [15] = 212, [16] = 168, [17] = 412, [19] = 656,
  [20] = 256, [25] = 536, [32] = 456, [64] = 1152,
}

local function ops(r)
  if not OPS[r] then
    local p = fft.factor(r)[1]
    local q = r // p
    OPS[r] = p == r and 1.2 * r * r or p * ops(q) + q * ops(p) + 6 * (p - 1) * (q - 1)
  end
  return OPS[r]
end

local function radix_cost(r)
  return ops(r) / r + PASS_COST + TWIDDLE_COST + SPILL_COST * math.max(0, r - 16)
end

-- Radices that divide n, largest first: up to `most`, and n's primes.
local function radices_of(n, primes, most)
  local list, seen = {}, {}
  for _, p in ipairs(primes) do
    if p > most and not seen[p] then table.insert(list, p) end
    seen[p] = true
  end
  table.sort(list, function(a, b) return a > b end)
  for r = most, 2, -1 do
    if n % r == 0 then table.insert(list, r) end
  end
  return list
end

-- All sets of radices (in falling order) with product n and at most one pass
-- more than the fewest possible.
local function sets_of(n, radices, leaves)
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
  walk(n, 1, least(n) + 1)
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

-- The orders worth a try, best first: a first radix that fills vectors, the
-- smallest such before larger ones; without one, the largest radix.
local function orders_of(set, lanes)
  local orders, fitting = {}, nil
  for i = #set, 1, -1 do
    if not fitting and lanes > 1 and set[i] % lanes == 0 then fitting = i end
  end
  table.insert(orders, ordered(set, fitting or 1, false))
  table.insert(orders, ordered(set, fitting or 1, true))
  if fitting and set[fitting] ~= set[1] then table.insert(orders, ordered(set, 1, false)) end
  return orders
end

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.points < 4 then return false end
  local primes = fft.factor(problem.points)
  return #primes > 1 and primes[#primes] <= math.min(MAX_PRIME, device.codelet_limit)
end

function plans(problem, device)
  local n = problem.points
  local most = math.min(device.gpu and 16 or 32, device.codelet_limit, n // 2)
  local primes = fft.factor(n)
  local radices = radices_of(n, primes, most)
  local few = divisor_count(primes) <= MAX_DIVISORS
  local sets = few and sets_of(n, radices, problem.child and MAX_CHILD_LEAVES or MAX_LEAVES) or { greedy_set(n, radices) }
  for index, set in ipairs(sets) do
    set.cost = index * 1e-9 -- equal costs stay in order
    for _, r in ipairs(set) do set.cost = set.cost + radix_cost(r) end
    if set[1] % device.lanes ~= 0 then set.cost = set.cost + PASS_COST end
    if device.gpu then set.cost = set.cost + (set[1] - set[#set]) / 4 end -- threads that idle
  end
  table.sort(sets, function(a, b) return a.cost < b.cost end)
  local result, seen = {}, {}
  local wanted = problem.child and 3 or 12
  for i = 1, math.min(#sets, problem.child and 2 or 6) do
    for _, order in ipairs(orders_of(sets[i], device.lanes)) do
      local key = table.concat(order, ",")
      if not seen[key] and #result < wanted then
        seen[key] = true
        table.insert(result, { "stockham", table.unpack(order) })
      end
    end
  end
  return result
end
