/*
 * A page of the corpus has one source of motion, lateness or chance:
 *   name   in groups: "late: …", "moves: …"
 *   body   what stands in its body. The word or the color of the variant is in the part that moves, comes late or is
 *          left to chance, so that the changed copy differs there
 *   serve  in place of a body: answers the request itself
 *   warns  the code of a warning, in place of a change that is seen: what comes after the limit is not in the screenshot
 *   alternates  it has two layouts by chance: each capture that sees both says so
 *   needs  what a suite has to set for it: a part of a CaptureRequest, or nothing
 */

export const USUAL = { word: 'Amber', color: 'rgb(200, 100, 0)' };
export const CHANGED = { word: 'Cobalt', color: 'rgb(0, 80, 200)' };

/** Sets the text of `#late` when it is called. */
export const show = ({ word }) => `late.textContent = '${word}'`;

/** A place for late content, and a script. */
export const lateBody = (script) => `<p>Always here</p><div id="late">…</div><script>${script}</script>`;

/** Text as a parameter of an address, safe inside quotes of either kind. */
export const parameter = (text) => encodeURIComponent(text).replaceAll("'", '%27');

/** In place of a body. */
export const serves = (name, serve) => ({ name, serve });

export const movesOn = (name, body) => ({ name: `moves on: ${name}`, body });

export const moves = (name, body) => ({ name: `moves: ${name}`, body });

export const latePage = (name, body) => ({ name: `late: ${name}`, body });

/** A script that shows the word when it is done. */
export const late = (name, script) => latePage(name, (variant) => lateBody(script(show(variant), variant)));

export const wait = (ms, { word }) => `/wait?ms=${ms}&body=${word}`;

export const SPIN = '@keyframes spin { to { transform: translateX(200px) rotate(1turn) } }';

export const box = ({ word, color }, style = '') =>
  `<div class="box" style="width:90px;height:40px;background:${color};${style}">${word}</div>`;

export const tall = (body, after = '') =>
  `${body}<div style="height:1500px;background:linear-gradient(#fff,#ccc)"></div><p>End</p>${after}`;

const SVG = 'xmlns="http://www.w3.org/2000/svg" width="120" height="40"';

/** A still image. */
export const stillSvg = ({ color }) => `<svg ${SVG}><rect width="120" height="40" fill="${color}"/></svg>`;

export const asUrl = (svg) => `data:image/svg+xml,${parameter(svg)}`;

/** The address of a still image that comes after some time. */
export const lateImage = (ms, variant) => `/wait?ms=${ms}&type=image/svg%2Bxml&body=${parameter(stillSvg(variant))}`;

/** A style sheet, fetched. */
export const lateStyle = (ms, css) => `/wait?ms=${ms}&type=text/css&body=${parameter(css)}`;

export const lateScript = (ms, script) => `/wait?ms=${ms}&type=text/javascript&body=${parameter(script)}`;
