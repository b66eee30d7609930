-- A prime n as a cyclic convolution of n-1 points (Rader), where n-1 has only
-- small factors; else padded to a good length of at least 2n-3 points.
priority = 4

local LEAST = 37 -- shorter ones are one codelet, with less error
local MAX_POINTS = 1 << 31 -- numbers of elements have 32 bits
local SMOOTH = 61 -- larger primes among the radices cost more error than padding
local TAKEN, TAKEN_ON_GPU = 3, 12 -- there the last radix is that of both middle passes at once
local HURRY_PRIME = 16 -- with longer codelets padding (bluestein) is compiled sooner

-- On GPUs where registers hold all of a prime's transform, rows go through the block's
-- memory once. Measured on an H200, nothing comes near it.
local HELD_PRIME = 41 -- of n-1: a codelet of a prime is convolutions of its factors

local function is_held(n)
  local primes = fft.holders(n) and fft.factor(n - 1)
  return primes and primes[#primes] <= HELD_PRIME
end

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" or problem.rank ~= 1 or n < LEAST or n >= MAX_POINTS then return false end
  return #fft.factor(n) == 1 and not is_held(n)
end

-- Adds the first plans of `length` points; those come first that can take the
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

-- Of two passes through a length with many threes the error shows in double, as with
-- Bluestein's.
local function padded(n, precision)
  local L = fft.good_size(2 * n - 3, 5)
  while precision == "f64" and L % 243 == 0 do L = fft.good_size(L + 1, 5) end
  return L
end

function plans(problem, device)
  local n, result = problem.points, {}
  local primes = fft.factor(n - 1)
  local smooth = primes[#primes] <= SMOOTH
  if device.hurry and primes[#primes] > HURRY_PRIME then return result end
  if smooth then
    add_plans(result, n, n - 1, problem.child and 1 or device.gpu and TAKEN_ON_GPU or TAKEN)
  else
    add_plans(result, n, padded(n, problem.compute), 1)
  end
  return result
end
