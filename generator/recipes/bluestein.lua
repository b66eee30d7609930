-- Any n as a cyclic convolution of L >= 2n-1 points (Bluestein): for lengths with
-- a prime factor that small radices do not reach. Smooth lengths never need it.
priority = 4

local SMALL_PRIME = 31
local MAX_POINTS = 1 << 61 -- L must fit 2^62

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.points > MAX_POINTS then return false end
  local primes = fft.factor(problem.points)
  return #primes > 0 and primes[#primes] > SMALL_PRIME
end

-- Lengths to pad to, cheapest first: points times the bits of the length.
local function lengths(n)
  local list, seen = {}, {}
  for _, prime in ipairs({ 2, 3, 5, 7 }) do
    local L = fft.good_size(2 * n - 1, prime)
    if not seen[L] then table.insert(list, L) end
    seen[L] = true
  end
  local function cost(L)
    local primes = fft.factor(L)
    return L * math.log(L, 2) * (1 + primes[#primes] / 16)
  end
  table.sort(list, function(a, b)
    local x, y = cost(a), cost(b)
    return x < y or (x == y and a < b)
  end)
  return list
end

function plans(problem, device)
  local result = {}
  for i, L in ipairs(lengths(problem.points)) do
    local taken = 0
    for _, child in ipairs(fft.plans(L)) do
      -- The middle multiplies by a table, which only these two can take in.
      local fits = child[1] == "stockham" or child[1] == "direct"
      if fits and taken < (problem.child and 1 or 2) and (i <= 2 or not problem.child) then
        table.insert(result, { "bluestein", L, child })
        taken = taken + 1
      end
    end
  end
  return result
end
