/** What is no web page, and has the URL of one in it: whoever looks for that anywhere takes it for one. */

export const aScriptAroundAPage =
  'javascript:alert(document.domain)//https://warehouse.example/connect'
