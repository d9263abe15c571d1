import { randomNumbers } from '../../compare/random-images.ts';

const STYLE = `
body { margin: 0; padding: 16px; font: 16px/1.5 sans-serif; color: #333; background: #fff }
a { color: #0969da } .meta { color: #6e7781 } .section { background: #fff; padding: 8px }
.card { border: 1px solid #ddd; border-radius: 4px; padding: 8px; margin: 8px 0 }
.rule { border: 0; border-top: 1px solid #ccc } table { border-collapse: collapse; width: 100% }
td { padding: 4px 8px } tr:nth-child(even) { background: #fafafa }
.button { display: inline-block; padding: 6px 12px; border-radius: 4px; background: #1a7f37; color: #fff }
.box { position: relative; display: inline-block; width: 60px; height: 30px; background: #fafafa }
.box.over { left: -20px; top: 8px; background: #f5f5f5 }
.badge { display: inline-block; width: 6px; height: 6px; border-radius: 50%; background: #cf222e }
.banner { height: 40px; background: linear-gradient(90deg, #ddf4ff, #fff) }
.clip { width: 160px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.halves { display: flex } .halves div { flex: 0 0 50%; background: #f6f8fa } .halves .right { background: #eaeef2 }
.next::after { content: '\\203a' } input, select { font: inherit }`;

const BODY = `
<h1 class="title">Harbor guide</h1><p class="meta">Updated on 12 March, 4 minutes to read</p>
<div class="banner"></div>
<div class="section"><p class="text">The <a class="link" href="#">old lighthouse</a> opens at nine, and the ferry to the island leaves
twice an hour from the eastern pier while the weather is calm.</p></div>
<div class="card"><b>Opening hours</b><ul class="list"><li>Monday to Friday</li><li>Saturday</li></ul></div>
<hr class="rule"><table><tr><td>Visitors</td><td class="number">1,234</td></tr><tr><td>Ships</td><td>87</td></tr>
<tr><td>Lamps</td><td>12</td></tr><tr><td>Ropes</td><td>5,001</td></tr></table>
<p><span class="button">Book a tour</span> <span class="badge"></span> <svg class="icon" width="16" height="16"><circle
cx="8" cy="8" r="7" fill="#888"/></svg> <a class="next" href="#">More </a></p>
<p><span class="box"></span><span class="box over"></span></p>
<p><input class="field" placeholder="Your name"> <input type="checkbox" class="check"> <select class="choice"><option>One</option>
<option class="other">Two</option></select></p>
<p class="clip">A line that is a little too long</p>
<div class="halves"><div>Left</div><div class="right">Right</div></div>
<img class="photo" src="/photo.png" width="120" height="80" alt="">`;

/** A page at rest, with one of everything. */
export const QUIET_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbor guide</title>
<link rel="icon" href="data:,"><style>${STYLE}</style><style id="change"></style></head><body>${BODY}</body></html>`;

/** A photo, each channel of each pixel brighter by so many levels. */
export function photo(brighter: number): { width: number; height: number; pixels: Buffer } {
  const random = randomNumbers(29);
  const [width, height] = [120, 80];
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < pixels.length; at += 4) {
    const shade = 60 + (at % (width * 4)) / 8 + random() * 60;
    pixels.set(
      [shade, shade + 20, shade + 40].map((level) => Math.round(level) + brighter),
      at,
    );
  }
  return { width, height, pixels };
}
