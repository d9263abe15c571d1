/*
 * Scenes of groups: a change that all pages of a site have in common, and a fault on one of them. A reviewer approves the
 * common change as one; the fault must be a change of its own, which no other page has.
 *   edit   what becomes of a page's HTML
 *   files  what becomes of what it loads: an answer for each address
 */

const WORDS = 'The quick brown fox jumps over the lazy dog while the gate is closed for everyone who came too late. ';

/** Pages with contents of different lengths. */
export const PAGES = [
  { name: 'Welcome', paragraphs: 2 },
  { name: 'Delivery', paragraphs: 5 },
  { name: 'Imprint', paragraphs: 3 },
];

export const drawing = (color, shape = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="${color}"/>${shape}</svg>`;

const CIRCLE = '<circle cx="60" cy="30" r="20" fill="gold"/>';

/** What the pages load, by its address. */
export const FILES = {
  '/logo.svg': drawing('teal'),
  '/hero.svg': drawing('lightblue', CIRCLE),
  '/poster.svg': drawing('gray'),
  '/frame.svg': drawing('black', '<rect x="20" y="20" width="80" height="20" fill="red"/>'),
  '/mask.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>',
  '/bullet.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
  '/small.svg': drawing('plum'),
  '/large.svg': drawing('orchid'),
};

export const html = ({ name, paragraphs }) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${name}</title><link rel="icon" href="data:,"><style>
@font-face { font-family: boxes; src: url(/boxes.ttf) }
body { margin: 0; font: 16px/1.5 sans-serif; color: #333 }
header { display: flex; align-items: center; gap: 16px; height: 72px; padding: 0 16px; background: #eef }
header nav a { padding: 4px 8px }
.page { display: flex; gap: 24px; padding: 16px }
main { flex: 1; min-width: 0 } aside { width: 110px; padding: 8px }
.hero { height: 90px; background: url(/hero.svg) 10px 5px / 120px 60px no-repeat #def }
.quote { position: relative } .quote::before { content: "Note"; padding: 0 6px; background: #fc9 }
.stage { position: relative; height: 60px } .stage div { position: absolute; width: 80px; height: 40px }
.one { left: 0; top: 0; background: #fa0; z-index: 1 } .two { left: 40px; top: 15px; background: #0af; z-index: 2 }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 8px }
.card { padding: 8px; border: 1px solid #ccc } .card::after { content: ""; display: block; height: 4px; background: #393 }
.framed { border: 10px solid; border-image: url(/frame.svg) 20; padding: 4px }
.masked { width: 40px; height: 40px; background: #639; mask: url(/mask.svg) }
.picked { object-fit: contain; width: 100px; height: 60px; background: #ddd }
.icon::before { font-family: boxes; content: "A" } .bullets { list-style-image: url(/bullet.svg) }
.steps { display: flex; flex-wrap: wrap; gap: 8px } .step { width: 40px; height: 20px; background: #ccf }
.slot { background: #dfd } .slot.first { height: 20px } .slot.second { height: 70px }
video { width: 120px; height: 60px } .shade { stop-color: red } .list { width: 120px; height: 50px; overflow: hidden }
.mark { position: relative; width: 200px; height: 30px; background: #eee }
.mark::before { content: ""; position: absolute; left: 10px; top: 8px; width: 14px; height: 14px; background: #c63 }
.through { display: contents } .lines { width: 300px } progress { width: 100px } pre { margin: 0 } iframe { border: 0; width: 200px; height: 50px }
</style></head><body>
<header><img class="logo" src="/logo.svg" width="60" height="30" alt="Shop"><nav><a href="/a">Goods</a> <a href="/b">About</a></nav></header>
<div class="slot first"></div><div class="slot second"></div>
<div class="page"><main><h1>${name}</h1>
${Array.from({ length: paragraphs }, (_, at) => `<p>${name} ${at}. ${WORDS.repeat(1 + (at % 2))}</p>`).join('\n')}
<div class="hero"></div><p class="quote">A quote</p><div class="stage"><div class="one"></div><div class="two"></div></div>
<canvas id="chart" width="120" height="60"></canvas><video poster="/poster.svg"></video>
<img class="picked" srcset="/small.svg 1x, /large.svg 2x" alt=""><img id="blob" width="60" height="30" alt="">
<svg width="80" height="40"><defs><linearGradient id="shade"><stop class="shade" offset="0"/><stop offset="1" stop-color="blue"/></linearGradient>
<symbol id="sign" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol>
<symbol id="word" viewBox="0 0 20 10"><text y="8" font-size="8">On</text></symbol>
<pattern id="dots" width="10" height="10" patternUnits="userSpaceOnUse"><circle cx="5" cy="5" r="3" fill="navy"/></pattern></defs><rect width="30" height="40" fill="url(#shade)"/>
<path class="line" d="M35 5L60 35" stroke="black" stroke-width="2"/><use href="#sign" x="60" width="20" height="20"/>
<use href="#word" x="60" y="20" width="20" height="20"/><rect x="40" y="30" width="20" height="10" fill="url(#dots)"/></svg>
<div class="cards"><div class="card">One</div><div class="card">Two</div></div><div class="framed">Framed</div><div class="masked"></div>
<ol><li>First</li><li>Second</li></ol><ul class="bullets"><li>Dot</li></ul><i class="icon"></i>
<div class="steps"><div class="step"></div><div class="step"></div><div class="step"></div></div>
<form><input name="mail" value="a@b.example"><input type="checkbox" checked><progress value="3" max="10"></progress>
<input class="empty" placeholder="Your name"><input type="password" value="secret"><input type="range" value="5" max="10"><input type="file">
<input type="checkbox" id="some"><textarea>One line
another line</textarea></form>
<pre>one  two</pre><p class="address">Main Street 7<br>1234 Town</p><p class="sum">Total: 10 EUR</p><p class="mixed">A <b>bold</b> word of four</p>
<p class="lines">The quick brown fox jumps over the lazy dog and away</p><div class="mark"></div><div class="through"><p>Within nothing</p></div><div class="list"><p>First</p><p>Second</p><p>Third</p></div><div id="shadow"></div><iframe srcdoc="<p style='margin:0'>Inside</p>"></iframe>
<p class="long">${WORDS.repeat(12)}The end.</p>
</main><aside><h2>More</h2><p>Aside</p></aside></div>
<footer><p>All rights reserved</p></footer>
<script>
const brush = chart.getContext('2d'); brush.fillStyle = '#36c'; for (const [at, height] of [20, 45, 30].entries()) brush.fillRect(10 + 40 * at, 60 - height, 20, height);
blob.src = URL.createObjectURL(new Blob(['${drawing('tan').replaceAll('/', '\\/')}'], { type: 'image/svg+xml' }));
shadow.attachShadow({ mode: 'closed' }).innerHTML = '<style>b { color: #060 }</style><b>Shadow</b>';
</script></body></html>`;

const replace = (from, to) => ({ edit: (page) => page.replace(from, to) });
const style = (css) => replace('</style></head>', `${css}</style></head>`);
const script = (text) => replace('</script></body>', `;${text}</script></body>`);
const file = (address, answer) => ({ files: { [address]: answer } });

/** What an image with no file behind it gets. */
export const MISSING = null;

/** What all pages have in common, each one group. */
export const COMMON = {
  'the background of the page': style('body { background: #f4f0e8 }'),
  'the background of the header': style('header { background: #fee }'),
  'a new logo at the same address': file('/logo.svg', drawing('navy')),
  'a banner': replace('<header>', '<div class="banner" style="background:#ffc">Sale!</div><header>'),
  'the place of the navigation': style('header nav { position: relative; left: 12px }'),
  'a margin of the navigation': style('header nav { margin-left: 12px }'),
  'the words of the header': replace('About', 'About us'),
  'the typeface': style('body { font-family: serif }'),
  'the size of letters': style('body { font-size: 17px }'),
  'the color of the page': style('main { color: #123; background: #fafaff }'),
  'a slot that is gone': replace('<div class="slot first"></div>', ''),
  'steps that moved': style('.step { position: relative; top: 6px }'),
  'a veil': style('.page { opacity: 0.9 }'),
  'a dark theme': style('body { background: #112; color: #dde }'),
};

const PAGE = 'the background of the page';
const HEADER = 'the background of the header';
const LOGO = 'a new logo at the same address';
const BANNER = 'a banner';
const PLACE = 'the place of the navigation';
const MARGIN = 'a margin of the navigation';
const TYPEFACE = 'the typeface';
const LETTERS = 'the size of letters';
const COLOR = 'the color of the page';
const SLOT = 'a slot that is gone';
const STEPS = 'steps that moved';
const VEIL = 'a veil';
const DARK = 'a dark theme';

const PICTURE = drawing('crimson', CIRCLE);

/** `instead`: the fault takes the place of the common change on its page. */
const scene = (common, name, fault, instead = false) => ({ common, name, fault, instead });

export const SCENES = [
  scene(PAGE, 'other bytes of a background', file('/hero.svg', PICTURE)),
  scene(PAGE, 'a canvas drawn otherwise', replace('[20, 45, 30]', '[20, 15, 30]')),
  scene(PAGE, 'other words before a quote', style('.quote::before { content: "Nope" }')),
  scene(PAGE, 'another color of what comes after', style('.card::after { background: #933 }')),
  scene(HEADER, 'the logo is another picture', file('/logo.svg', PICTURE)),
  scene(HEADER, 'the logo is at another address', replace('/logo.svg', '/large.svg')),
  scene(HEADER, 'the navigation is further down', style('header nav { position: relative; top: 9px }')),
  scene(LOGO, 'the logo is missing', file('/logo.svg', MISSING), true),
  scene(LOGO, 'the logo is a third picture', file('/logo.svg', PICTURE), true),
  scene(BANNER, 'the banner is red and higher', replace('background:#ffc', 'background:red;height:60px')),
  scene(BANNER, 'the banner is higher', replace('background:#ffc', 'background:#ffc;height:60px')),
  scene(BANNER, 'the banner has a picture', replace('Sale!', 'Sale!<img src="/small.svg" width="20" height="10">')),
  scene(BANNER, 'the navigation has moved', style('header nav { position: relative; left: 160px; top: 70px }')),
  scene(PLACE, 'it moved into the text', style('header nav { left: 160px; top: 70px }')),
  scene(MARGIN, 'it moved into the text', style('header nav { margin-left: 160px; margin-top: 140px }')),
  scene(MARGIN, 'a badge is elsewhere', style('.two { left: 90px }')),
  scene(COLOR, 'a larger gap', style('.cards { gap: 24px }')),
  scene(COLOR, 'the order of layers', style('.one { z-index: 3 }')),
  scene(COLOR, 'a shadow', style('.card { box-shadow: 0 4px 8px #999 }')),
  scene(COLOR, 'a shadow of words', style('h1 { text-shadow: 2px 2px 2px red }')),
  scene(COLOR, 'another part of a sprite', style('.hero { background-position: 60px 5px }')),
  scene(COLOR, 'a larger background', style('.hero { background-size: 180px 90px }')),
  scene(COLOR, 'an image that fills its box', style('.picked { object-fit: cover }')),
  scene(COLOR, 'a gray image', style('.picked { filter: grayscale(1) }')),
  scene(COLOR, 'a card that is turned', style('.card { transform: rotate(2deg) }')),
  scene(COLOR, 'another frame', file('/frame.svg', PICTURE)),
  scene(COLOR, 'another mask', file('/mask.svg', drawing('black'))),
  scene(COLOR, 'other bullets', file('/bullet.svg', drawing('red'))),
  scene(COLOR, 'other numbers', replace('<ol>', '<ol start="7">')),
  scene(COLOR, 'squares for numbers', style('ol { list-style-type: square }')),
  scene(COLOR, 'the color of words', style('.quote { color: #c00 }')),
  scene(COLOR, 'words that are hidden', style('.quote { visibility: hidden }')),
  scene(COLOR, 'trimmed words', style('.quote { text-box: trim-both cap alphabetic }')),
  scene(COLOR, 'a clipped card', style('.card { clip-path: inset(0 20px 0 0) }')),
  scene(DARK, 'a line drawn otherwise', replace('M35 5L60 35', 'M35 35L60 5')),
  scene(DARK, 'a line with hard edges', style('.line { shape-rendering: crispedges }')),
  scene(DARK, 'the color of a gradient', style('.shade { stop-color: lime }')),
  scene(DARK, 'words in a symbol', replace('>On<', '>Of<')),
  scene(DARK, 'the color of a pattern', replace('fill="navy"', 'fill="lime"')),
  scene(DARK, 'another sign', replace('M0 0h10v10z', 'M0 0h5v10z')),
  scene(DARK, 'another poster', file('/poster.svg', PICTURE)),
  scene(DARK, 'words in a frame', replace('Inside', 'Outside')),
  scene(DARK, 'a field', replace('a@b.example', 'c@d.example')),
  scene(DARK, 'a box that is not checked', replace(' checked', '')),
  scene(DARK, 'a box that is neither', script('some.indeterminate = true')),
  scene(DARK, 'words in an empty field', replace('Your name', 'Your mail')),
  scene(DARK, 'the color of an empty field', style('.empty::placeholder { color: red }')),
  scene(DARK, 'a longer password', replace('"secret"', '"secretsecret"')),
  scene(DARK, 'the end of a range', replace('value="5" max="10"', 'value="5" max="20"')),
  scene(DARK, 'the button of a field', style('::file-selector-button { background: gold }')),
  scene(DARK, 'a field without a handle', style('textarea { resize: none }')),
  scene(DARK, 'lines of a field', replace('One line\nanother', 'One line another\n')),
  scene(DARK, 'the controls of a video', replace('<video ', '<video controls ')),
  scene(DARK, 'a list that is scrolled', script("document.querySelector('.list').scrollTop = 30")),
  scene(DARK, 'no-break spaces', replace('Total: 10', 'Total:&nbsp;&nbsp;&nbsp;10')),
  scene(DARK, 'balanced lines', style('.lines { text-wrap: balance }')),
  scene(DARK, 'a bar', replace('value="3"', 'value="8"')),
  scene(DARK, 'white space', replace('one  two', 'one      two')),
  scene(DARK, 'the end of a long text', replace('The end.', 'No end.')),
  scene(DARK, 'an image from memory', replace('fill="tan"', 'fill="red"')),
  scene(DARK, 'the pick of a set', file('/small.svg', PICTURE)),
  scene(DARK, 'what is in a closed shadow root', replace('b { color: #060 }', 'b { color: #f60; font-size: 20px }')),
  scene(TYPEFACE, 'a font of icons that is missing', file('/boxes.ttf', MISSING)),
  scene(TYPEFACE, 'another icon', style('.icon::before { content: "AA" }')),
  scene(TYPEFACE, 'a wider column', style('aside { width: 150px }')),
  scene(LETTERS, 'a line that breaks elsewhere', replace('7<br>1234 Town', '7 1234<br>Town')),
  scene(LETTERS, 'a mark elsewhere in its box', style('.mark::before { left: 60px }')),
  scene(LETTERS, 'a wider mark', style('.mark::before { width: 40px }')),
  scene(LETTERS, 'a word elsewhere in its text', replace('A <b>bold</b> word', 'A word <b>bold</b>')),
  scene(LETTERS, 'a wider column', style('aside { width: 150px }')),
  scene(LETTERS, 'a higher stage', style('.stage { height: 90px }')),
  scene(LETTERS, 'columns of other widths', style('.cards { grid-template-columns: 2fr 1fr }')),
  scene(LETTERS, 'cards in another order', style('.card { order: 1 } .card + .card { order: 0 }')),
  scene(SLOT, 'another slot is gone', replace('<div class="slot second"></div>', ''), true),
  scene(STEPS, 'one moved further', style('.step:last-child { top: 30px }')),
  scene(STEPS, 'they moved elsewhere', style('.step { top: 6px; left: 40px }')),
  scene(VEIL, 'a canvas drawn otherwise', replace('[20, 45, 30]', '[50, 45, 30]')),
  scene(VEIL, 'words with more room', style('.quote { letter-spacing: 3px }')),
];

/** The site at one moment: its pages and files, after edits. */
export function siteAfter(...edits) {
  return {
    html: (page) => edits.reduce((text, { edit = (same) => same }) => edit(text), html(page)),
    files: Object.assign({}, FILES, ...edits.map(({ files }) => files)),
  };
}
