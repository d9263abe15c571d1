/*
 * A page of the corpus has one source of motion, lateness or chance:
 *   name   in groups: "late: …", "moves: …"
 *   body   what stands in its body. The word or the color of the variant is in the part that moves, comes late or is
 *          left to chance, so that the changed copy differs there
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
