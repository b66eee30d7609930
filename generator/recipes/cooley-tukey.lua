-- n = r * m: r transforms of m points, then one pass of radix r. It takes the
-- small factors off a length with a large prime factor, so that bluestein has
-- less to do; for smooth lengths it is an alternative to stockham.
priority = 3

local SMOOTH_FROM = 4096 -- points: of fewer, stockham has all that is worth a look

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

-- On GPUs a prime that no thread holds is innermost, shared out to threads or as a convolution in shared memory, few
-- passes around it.
local MOST_AROUND = 25          -- points of a codelet around it
local CHAINS, FOR_EACH = 2, 3   -- orders of the passes around, and ways inside for each: so many plans are timed
local INNERMOST = { "dense", "rader" }
local LEAST_INNER = 61          -- primes: up to there a thread holds a codelet (rader.lua)
local MOST_PASSES_AROUND = 4096 -- points of all passes around

local function around(radices, inner)
  local plan = inner
  for i = #radices, 1, -1 do plan = { "cooley-tukey", radices[i], plan } end
  return plan
end

-- Several threads share a row of dense: several transforms of n points in a block, as many rows as dense has alone.
local ROWS = { 32, 64 }

local function insert_around(result, radices, inner, count)
  local before = 0
  for _, rows in ipairs(inner[1] == "dense" and ROWS or {}) do
    local group = rows // count
    if group > 1 and group ~= before then
      local plan = around(radices, { "dense", inner[2] })
      plan.group, before = group, group
      table.insert(result, plan)
    end
  end
  table.insert(result, around(radices, inner))
end

local function convolved_plans(problem, device, primes, result)
  local n, p = problem.points, primes[#primes]
  if not device.gpu or p < LEAST_INNER or n // p > MOST_PASSES_AROUND or n * 8 > device.local_bytes then return end
  local chains = fft.radices(n // p, MOST_AROUND)
  table.sort(chains, function(a, b) return 100 * #a + a[1] - a[#a] < 100 * #b + b[1] - b[#b] end)
  for _, step in ipairs(INNERMOST) do
    local taken = 0
    for _, inner in ipairs(fft.plans(p)) do
      local wanted = inner[1] == step and taken < FOR_EACH
      for i = 1, wanted and math.min(CHAINS, #chains) or 0 do insert_around(result, chains[i], inner, n // p) end
      if wanted then taken = taken + 1 end
    end
  end
end

function plans(problem, device)
  local n, result = problem.points, {}
  convolved_plans(problem, device, fft.factor(n), result)
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
