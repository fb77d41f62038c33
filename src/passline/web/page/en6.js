var e=`table-puck = Puck
table-rail = Rail
table-chips = Chip
table-roll = Roll
`;export{e as default};