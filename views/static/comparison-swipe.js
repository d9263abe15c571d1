/** The mode in which people drag a line across the two screenshots. */

/** @param {HTMLElement} comparison */
const findSlider = (comparison) => comparison.querySelector('img-comparison-slider');

/** Loads the component on first use, and gives it a role, a name and a value. @param {HTMLElement} comparison */
export async function startSwipe(comparison) {
  const slider = findSlider(comparison);
  const stage = comparison.querySelector('[data-stage]');
  if (slider === null || stage === null) return;
  await import('./img-comparison-slider.js');
  // It is a slider once keys move it, and is started once.
  if (slider.role === 'slider') return;
  slider.role = 'slider';
  const sayValue = () => {
    const percent = Math.round(slider.value);
    slider.ariaValueNow = String(percent);
    slider.ariaValueText = `${percent}% before`;
  };
  const keepHandleInSight = () => {
    const top = stage.scrollTop + Math.min(240, stage.clientHeight / 2);
    slider.style.setProperty('--handle-position-start', `min(${top}px, 100% - 32px)`);
  };
  stage.addEventListener('scroll', keepHandleInSight, { passive: true });
  keepHandleInSight();
  slider.ariaLabel = 'Divider between the screenshots';
  slider.ariaValueMin = '0';
  slider.ariaValueMax = '100';
  slider.addEventListener('slide', sayValue);
  slider.addEventListener('keydown', ({ key }) => {
    if (key !== 'Home' && key !== 'End') return;
    slider.value = key === 'Home' ? 0 : 100;
    sayValue();
  });
  sayValue();
}

/** @param {HTMLElement} comparison @param {number} percent the part of the width that shows the first screenshot */
export function swipeTo(comparison, percent) {
  const slider = findSlider(comparison);
  // The component has no value before it is loaded.
  if (slider?.classList.contains('rendered')) slider.value = percent;
}
