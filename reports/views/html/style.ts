/** The style sheet: light and dark by the reader's preference, paper by the printer's. */

export const style = `
:root{color-scheme:light dark;--ground:#fff;--text:#1c1e21;--faint:#5c636b;--line:#d3d7db;--panel:#f4f5f6;--link:#0550ae;--good:#116329;--bad:#b3261e;--warn:#7a4b00;--unclear:#6639ba;--none:#5c636b;--good-ground:#e6f4ea;--bad-ground:#fdeceb;--warn-ground:#fff3d6;--unclear-ground:#f3ecfd;--none-ground:#eef0f2}
@media (prefers-color-scheme:dark){:root{--ground:#15181c;--text:#e4e7ea;--faint:#a3abb3;--line:#3a4047;--panel:#1e2228;--link:#7ab7ff;--good:#7ddc95;--bad:#ff9a92;--warn:#f2c063;--unclear:#c9a6ff;--none:#a3abb3;--good-ground:#12301b;--bad-ground:#3d1a18;--warn-ground:#372808;--unclear-ground:#2a1e40;--none-ground:#262b31}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
h1{margin:.25rem 0;font-size:1.6rem}
h2{margin:2.5rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid var(--line);font-size:1.3rem}
h3{margin:0 0 .25rem;font-size:1.05rem}
h1 small{color:var(--faint);font-weight:normal}
p{margin:.35rem 0}
code,pre,.diagram{font-family:ui-monospace,monospace}
code{font-size:.92em}
pre{margin:.25rem 0;padding:.5rem;max-height:30rem;overflow:auto;background:var(--panel);font-size:.82rem;line-height:1.4;white-space:pre-wrap}
nav a{display:inline-block;margin-right:1rem;padding:.25rem 0}
.verdict{display:inline-block;margin:0;padding:.35rem .9rem;border:2px solid;border-radius:.4rem;font-size:1.5rem;font-weight:700;text-transform:uppercase}
.good{color:var(--good);background:var(--good-ground)}
.bad{color:var(--bad);background:var(--bad-ground)}
.warn{color:var(--warn);background:var(--warn-ground)}
.unclear{color:var(--unclear);background:var(--unclear-ground)}
.none{color:var(--none);background:var(--none-ground)}
.badge{display:inline-block;padding:0 .45rem;border-radius:.3rem;font-size:.85rem;font-weight:600;white-space:nowrap}
.note{padding:.5rem .75rem;border-left:4px solid var(--warn);background:var(--panel)}
.source,.time,.who{color:var(--faint);font-size:.85rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:.75rem 0;font-size:.9rem}
caption{text-align:left;font-weight:600}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.facts th{font-weight:normal;color:var(--faint)}
.matrix{width:100%;min-width:44rem}
.matrix tbody th{font-weight:normal}
.matrix td:nth-child(-n+4){white-space:nowrap}
.grid{min-width:44rem}
.grid tbody th{font-weight:normal}
.grid td,.grid thead th{white-space:nowrap}
.difference{min-width:36rem}
.difference th[scope=row]{font-weight:normal}
.finding{margin:1rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.4rem}
.overview ol{margin:.5rem 0;padding-left:1.5rem}
.overview li{margin:.35rem 0}
.overview .source{display:block}
#filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.5rem 0}
#filter[hidden],[hidden]{display:none}
#filter input,#filter select{font:inherit;padding:.2rem .4rem;border:1px solid var(--faint);border-radius:.3rem;background:var(--ground);color:var(--text)}
.scenario[open]>summary{position:sticky;top:0;z-index:1;background:var(--ground);border-bottom:1px solid var(--line)}
.scenario [id]{scroll-margin-top:4.5rem}
@media(max-width:40rem){.scenario [id]{scroll-margin-top:7rem}}
.comparison{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin:.5rem 0}
.comparison div{padding:.5rem .75rem;background:var(--panel)}
.comparison dt{color:var(--faint);font-size:.85rem}
.comparison dd{margin:0;font-family:ui-monospace,monospace;font-size:.85rem}
summary{cursor:pointer;padding:.3rem 0}
.scenario{margin:.4rem 0;padding:0 .75rem;border:1px solid var(--line);border-radius:.4rem}
.judgements,.evidence{margin:.25rem 0;padding-left:1.25rem}
.judgements li{margin:.3rem 0}
.message{border-bottom:1px solid var(--line);font-size:.9rem}
.message .seq{display:inline-block;min-width:2.2rem;color:var(--faint)}
.compared{font-size:.88rem}
.added b{color:var(--good)}
.missing b{color:var(--bad)}
.defs{position:absolute}
.defs path{fill:var(--text)}
.diagram{display:block;margin:.75rem 0;border:1px solid var(--line);border-radius:.4rem;overflow:hidden;font-size:12px}
.diagram text{fill:var(--text);paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}
.diagram .label{font-family:system-ui,sans-serif}
.diagram a .label{fill:var(--link)}
.diagram .name{font-weight:700;text-anchor:middle}
.diagram .middle,.diagram .left{text-anchor:middle}
.diagram .end{text-anchor:end}
.diagram .note{font-style:italic}
.diagram .lane{stroke:var(--line)}
.diagram .request,.diagram .answer{stroke:var(--text);stroke-width:1.4}
.diagram .answer{stroke-dasharray:5 4}
.diagram .mark{stroke:none}
.diagram .mark.good{fill:var(--good-ground)}.diagram .mark.bad{fill:var(--bad-ground)}.diagram .mark.warn{fill:var(--warn-ground)}.diagram .mark.unclear{fill:var(--unclear-ground)}.diagram .mark.none{fill:var(--none-ground)}
.diagram .sign{font-weight:700}
.diagram .sign.good{fill:var(--good)}.diagram .sign.bad{fill:var(--bad)}.diagram .sign.warn{fill:var(--warn)}.diagram .sign.unclear{fill:var(--unclear)}
.diagram .mark~a .label,.diagram .sign{stroke:none}
:target{outline:3px solid var(--link);outline-offset:3px}
@media (max-width:48rem){.matrix{min-width:0}.matrix thead{position:absolute;clip-path:inset(50%)}.matrix tr,.matrix th,.matrix td:last-child{display:block}.matrix td{display:inline-block}.matrix tr{border-bottom:1px solid var(--line)}.matrix th,.matrix td{border:0;padding:.2rem .4rem}
.comparison{grid-template-columns:1fr}body{padding:.6rem}.scenario{padding:0 .35rem}}
@media print{:root{color-scheme:light;--ground:#fff;--text:#000;--faint:#444;--line:#bbb;--panel:#fff;--link:#000;--good:#0b4a1d;--bad:#8c1510;--warn:#5c3900;--unclear:#4a2790;--none:#444;--good-ground:#eef7f0;--bad-ground:#fdf0ef;--warn-ground:#fdf6e3;--unclear-ground:#f6f1fd;--none-ground:#f3f4f5}
body{max-width:none;font-size:10pt;padding:0}nav,#filter{display:none}.scenario[open]>summary{position:static}pre{max-height:none}.wide{overflow:visible}.matrix,.difference{min-width:0}
.finding,.diagram g,tr{break-inside:avoid}h2,h3,summary{break-after:avoid}.verdict,.badge{border:1px solid}}
`
