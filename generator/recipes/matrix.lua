-- Half precision on GPUs whose warps multiply matrices: lengths with a large prime factor, as a product with all roots
-- of unity.
priority = 1

local LARGE = 31 -- smaller factors are passes, which take as long as a copy
-- Transforms of a block, and threads: of each warp sixteen, whose factors registers hold.
local SHAPES = { { 16, 32 }, { 32, 64 } }

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.child or problem.scaled then return false end
  if problem.precision ~= "f16" or problem.compute ~= "f32" or problem.batch_rank ~= 1 then return false end
  local primes = fft.factor(problem.points)
  return problem.points <= device.matrix_limit and primes[#primes] > LARGE
end

function plans(problem, device)
  local result = {}
  for _, shape in ipairs(SHAPES) do
    table.insert(result, { "direct", problem.points, matrix = 1, group = shape[1], threads = shape[2] })
  end
  return result
end
