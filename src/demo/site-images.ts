export type Landscape = {
  /** Unique within a page. Names the gradient and determines the shape of the ridges. */
  name: string;
  /** The colors at the top and bottom of the sky. */
  sky: [string, string];
  /** The colors of the ridges, the farthest first. */
  ridges: string[];
  /** The center of the moon in the 1200 × 420 image. Null: no moon. */
  moon: [number, number] | null;
  /** Whether a train with lit windows runs along the foot of the last ridge. */
  train: boolean;
};

const WIDTH = 1200;
const HEIGHT = 420;

/** Gives each image different ridges. */
const choosePhase = (name: string) => Buffer.from(name).reduce((sum, byte) => sum + byte, 0) / 7;

function ridge(index: number, count: number, phase: number): string {
  const base = HEIGHT * (0.42 + (0.46 * index) / count);
  const points: string[] = [];
  for (let x = 0; x <= WIDTH; x += 40) {
    const wave = Math.sin(x / (150 - index * 18) + index * 2.1 + phase) * 26 + Math.sin(x / 61 + index + phase) * 9;
    points.push(`${x},${(base + wave).toFixed(1)}`);
  }
  return `0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`;
}

function stars(): string {
  return Array.from({ length: 40 }, (_, i) => {
    const x = (i * 377) % WIDTH;
    const y = (i * 89) % 170;
    return `<circle cx="${x}" cy="${y + 8}" r="${i % 3 === 0 ? 1.8 : 1.1}"/>`;
  }).join('');
}

function train(): string {
  const cars = Array.from({ length: 5 }, (_, car) => {
    const x = 300 + car * 132;
    const windows = Array.from({ length: 6 }, (__, w) => {
      const lit = (car + w) % 4 === 0 ? '#6d6a86' : '#ffd98a';
      return `<rect x="${x + 10 + w * 19}" y="352" width="11" height="13" rx="2" fill="${lit}"/>`;
    });
    return `<rect x="${x}" y="342" width="126" height="38" rx="6" fill="#1b1a33"/>${windows.join('')}`;
  });
  return `${cars.join('')}<path d="M960 342h62q26 8 34 38h-96z" fill="#1b1a33"/><circle cx="1046" cy="369" r="4" fill="#fff3c9"/>`;
}

/** A night scene as inline SVG. The same input always produces the same image. */
export function landscape({ name, sky, ridges, moon, train: withTrain }: Landscape): string {
  const hills = ridges.map(
    (fill, i) => `<polygon points="${ridge(i, ridges.length, choosePhase(name))}" fill="${fill}"/>`,
  );
  const disc =
    moon === null
      ? ''
      : `<circle class="glow" cx="${moon[0]}" cy="${moon[1]}" r="58" fill="#fff6d8" opacity=".18"/>
         <circle cx="${moon[0]}" cy="${moon[1]}" r="34" fill="#fff6d8"/>`;
  return `<svg class="scene" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMax slice" role="img" aria-label="A landscape at night">
    <defs><linearGradient id="sky-${name}" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/>
    </linearGradient></defs>
    <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky-${name})"/>
    <g fill="#fff" opacity=".75">${stars()}</g>${disc}${hills.join('')}${withTrain ? train() : ''}
  </svg>`;
}

/** The lantern in the site's logo. */
export const logo = `<svg class="logo" viewBox="0 0 40 40" aria-hidden="true">
  <path d="M12 14h16l3 18H9z" fill="#ffcf70"/><path d="M14 8h12v6H14z" fill="#f4f1e6"/>
  <path d="M20 2v6" stroke="#f4f1e6" stroke-width="3"/><path d="M8 32h24v4H8z" fill="#f4f1e6"/>
</svg>`;

const ICONS = {
  bed: '<path d="M4 10v20M4 24h32v6M36 24v-4q0-5-6-5H15v9"/><circle cx="10" cy="19" r="3"/>',
  cup: '<path d="M8 14h19v12q0 6-6 6h-7q-6 0-6-6zM27 17h5q3 5-5 9"/><path d="M13 10q-3-3 0-6M20 10q-3-3 0-6"/>',
  map: '<path d="M5 10l10-4 10 4 10-4v24l-10 4-10-4-10 4zM15 6v24M25 10v24"/>',
  clock: '<circle cx="20" cy="20" r="15"/><path d="M20 11v9l7 5"/>',
  wave: '<path d="M3 15q6-7 11 0t11 0 11 0M3 25q6-7 11 0t11 0 11 0"/>',
  peak: '<path d="M3 33L16 9l7 12 4-6 10 18z"/><path d="M12 17l4 4 3-4"/>',
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 40 40" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">${ICONS[name]}</svg>`;
}
