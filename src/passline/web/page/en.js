var e=`lobby-title = Take a place at the rail
lobby-about = Six houses, each by its own book. A practice table opens at once: no account, play money, your pace.
lobby-practise = Practise here
lobby-tables = Open tables
lobby-you = You
`;export{e as default};