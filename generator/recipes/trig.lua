-- Cosine and sine transforms of more points than a codelet has: a permutation, a real
-- or complex transform, and a pass of twiddle factors.
priority = 2

local MOST_DIRECT = 64

-- Kind and length of the transform inside.
local function inner(kind, n)
  if kind == "dct1" then return "r2c", 2 * (n - 1) end
  if kind == "dst1" then return "r2c", 2 * (n + 1) end
  if kind == "dct3" or kind == "dst3" then return "c2r", n end
  if (kind == "dct4" or kind == "dst4") and n % 2 == 0 then return "c2c", n // 2 end
  return "r2c", n
end

function applies(problem, device)
  local kind = problem.kind:sub(1, 3)
  return (kind == "dct" or kind == "dst") and problem.rank == 1 and problem.points > MOST_DIRECT
end

function plans(problem, device)
  local result = {}
  local kind, n = inner(problem.kind, problem.points)
  for _, child in ipairs(fft.plans(n, kind)) do
    if child[1] ~= "four-step" and #result < 4 then table.insert(result, { "trig", child }) end
  end
  return result
end
