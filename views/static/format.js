/** Numbers as the server prints them: see `text/format.ts`. */
const NUMBER = new Intl.NumberFormat(document.documentElement.lang);

/** As `12,345`. @param {number} amount */
export const formatNumber = (amount) => NUMBER.format(amount);
