function applies() return true end
function plans() while true do end end
