function applies(
