/** With these, a spreadsheet begins a formula. Some take the wide forms as well. */
const FORMULA = new Set('=+-@\t\r\n＝＋－＠');

function writeCell(text: string): string {
  const defused = FORMULA.has(text.charAt(0)) ? `'${text}` : text;
  return `"${defused.replaceAll('"', '""')}"`;
}

/** A row as RFC 4180 says. A cell that a spreadsheet would take for a formula gets an apostrophe before it. */
export const writeCsvRow = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;
