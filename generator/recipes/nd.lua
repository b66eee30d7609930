-- Several dimensions, one after the other: for each dimension the plans of its
-- length. All the best ones together, then each dimension's second choice.
priority = 5

local CHOICES = 3 -- plans of a dimension that are looked at

function applies(problem, device)
  return problem.kind ~= "conv" and problem.rank > 1
end

function plans(problem, device)
  local list = {}
  local half = problem.kind == "r2c" or problem.kind == "c2r"
  for d = 1, problem.rank do
    list[d] = {}
    local kind = half and d < problem.rank and "c2c" or problem.kind
    for _, child in ipairs(fft.plans(problem.n[d], kind)) do
      -- Its workspaces have no form under other dimensions.
      if child[1] ~= "four-step" and #list[d] < CHOICES then table.insert(list[d], child) end
    end
    if #list[d] == 0 then return {} end
  end
  local function plan(dimension, choice)
    local p = { "nd" }
    for d = 1, problem.rank do
      p[d + 1] = list[d][d == dimension and choice or 1]
    end
    return p
  end
  local result = { plan(0, 1) }
  for d = 1, problem.rank do
    for c = 2, #list[d] do table.insert(result, plan(d, c)) end
  end
  return result
end
