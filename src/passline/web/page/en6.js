var e=`home = Passline, home
nav = Pages
skip = Skip to the page
wait = One moment…
reload = Load again
not-loaded = This page could not be loaded: the line was cut, or there is a newer version.
theme = Colours: { $theme ->
    [dark] dark
    [light] light
   *[system] as your device
 }
cut = The line is cut. Trying again; nothing is lost.
no-answer = The table did not answer: what is not shown here was not done. Ask again.

view-lobby = Lobby
view-table = Table
view-school = School
view-lab = Lab
view-replay = Replay
view-fair = Fair dice
view-box = Box
view-night = Tonight
view-join = Join
view-houses = Houses
view-host = Host a table
view-me = Account
view-learn = First visit
`;export{e as default};