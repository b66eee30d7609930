-- n = r * m: r transforms of m points, then one pass of radix r. It takes the
-- small factors off a length with a large prime factor, so that bluestein has
-- less to do; for smooth lengths it is an alternative to stockham.
priority = 3

local SMOOTH_FROM = 4096

-- Divisors of n from `most` down to 2, at most `count` of them.
local function divisors(n, most, count)
  local list = {}
  for r = math.min(most, n - 1), 2, -1 do
    if n % r == 0 and #list < count then table.insert(list, r) end
  end
  return list
end

local function is_smooth(primes, device)
  return primes[#primes] <= math.min(device.gpu and 31 or 127, device.codelet_limit)
end

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 then return false end
  local primes = fft.factor(problem.points)
  if #primes < 2 or primes[1] > device.codelet_limit then return false end
  return not is_smooth(primes, device) or (not problem.child and problem.points >= SMOOTH_FROM)
end

function plans(problem, device)
  local n, result = problem.points, {}
  local smooth = is_smooth(fft.factor(n), device)
  local most = math.min(device.codelet_limit, device.gpu and 16 or 32)
  local radices = divisors(n, most, smooth and 1 or 2)
  if #radices == 0 then radices = divisors(n, device.codelet_limit, 1) end
  for _, r in ipairs(radices) do
    for i, child in ipairs(fft.plans(n // r)) do
      if i <= (smooth and 1 or 2) then table.insert(result, { "cooley-tukey", r, child }) end
    end
  end
  return result
end
