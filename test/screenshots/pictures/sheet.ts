export type Picture = {
  place: string;
  file: string;
  width: number;
  colorScheme: 'light' | 'dark';
  problems: string[];
};

const STYLE = `
  body { margin: 16px; font: 14px/1.4 sans-serif; color: #1f2328; background: #fff }
  section { margin-bottom: 24px; break-inside: avoid } h2 { margin: 0 0 8px; font-size: 14px }
  .row { display: flex; gap: 8px; align-items: flex-start; overflow-x: auto }
  figure { flex: none; margin: 0 } figcaption { font-size: 11px; color: #59636e } .wrong { color: #d1242f }
  img { display: block; max-height: 420px; border: 1px solid #d1d9e0 }
`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function figure({ file, width, colorScheme, problems }: Picture): string {
  const wrong = problems.map((problem) => `<div class="wrong">${escape(problem)}</div>`).join('');
  const image = `<a href="${file}"><img src="${file}" alt="" loading="lazy"></a>`;
  return `<figure>${image}<figcaption>${width} ${colorScheme}${wrong}</figcaption></figure>`;
}

/** All pictures on one page, in one row for each place. */
export function printSheet(pictures: readonly Picture[]): string {
  const places = [...new Set(pictures.map(({ place }) => place))];
  const rows = places.map((place) => {
    const own = pictures.filter((picture) => picture.place === place).map(figure);
    return `<section><h2>${escape(place)}</h2><div class="row">${own.join('')}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${pictures.length} pictures</title><style>${STYLE}</style>${rows.join('')}</html>`;
}
