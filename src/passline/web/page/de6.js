var e=`table-puck = Puck
table-rail = Rail
table-chips = Chip
table-roll = Würfeln
`;export{e as default};