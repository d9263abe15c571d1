/** The only style sheet of the demo site. Below 720 px the layout is very different. */
export const styleSheet = `
:root { --night: #1d1b3a; --dusk: #4b3f72; --lamp: #ffcf70; --paper: #fbf8f0; --ink: #2a2740; --soft: #6b6680; --line: #e4dccb; }
* { box-sizing: border-box; margin: 0; }
body { background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, 'Liberation Serif', 'DejaVu Serif', serif; }
a { color: #7a3e6d; }
header.site { background: var(--night); color: #f4f1e6; display: flex; align-items: center; gap: 28px; padding: 14px 40px; }
header.site a { color: inherit; text-decoration: none; }
.brand { display: flex; align-items: center; gap: 12px; font-size: 20px; letter-spacing: .04em; }
.logo { width: 34px; height: 34px; }
nav ul { display: flex; gap: 22px; list-style: none; padding: 0; }
nav { margin-left: auto; font: 15px/1 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
nav a[aria-current] { color: var(--lamp); border-bottom: 2px solid var(--lamp); padding-bottom: 4px; }
.hero { position: relative; height: 360px; overflow: hidden; background: var(--night); }
.scene { width: 100%; height: 100%; display: block; }
.hero .words { position: absolute; left: 40px; right: 40px; top: 56px; max-width: 620px; color: #fff; text-shadow: 0 1px 12px #1d1b3a; }
h1 { font-size: 46px; line-height: 1.1; font-weight: 500; }
.hero p { margin-top: 14px; font-size: 19px; }
main { max-width: 1060px; margin: 0 auto; padding: 48px 40px 64px; }
main > * + * { margin-top: 28px; }
h2 { font-size: 28px; font-weight: 500; line-height: 1.2; }
h3 { font-size: 20px; font-weight: 600; }
.columns { display: grid; grid-template-columns: 3fr 2fr; gap: 40px; }
.columns > * > * + * { margin-top: 16px; }
.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 22px; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 22px; display: block; color: inherit; text-decoration: none; }
.card > * + * { margin-top: 10px; }
.icon { width: 40px; height: 40px; color: var(--dusk); display: block; }
aside { background: #f1ebdc; border-left: 4px solid var(--lamp); padding: 22px; border-radius: 0 10px 10px 0; }
table { border-collapse: collapse; width: 100%; background: #fff; font: 15px/1.5 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
th, td { text-align: left; padding: 12px 16px; border-bottom: 1px solid var(--line); }
th { background: #f1ebdc; font-weight: 600; }
.tariff { border-radius: 10px; padding: 26px 30px; color: #fff; background: var(--band, var(--dusk)); }
.tariff strong { font-size: 32px; font-weight: 500; display: block; }
figure .scene { height: 280px; border-radius: 10px; }
figcaption, .small { color: var(--soft); font-size: 15px; }
.reveal { opacity: 0; transform: translateY(24px); transition: opacity .6s, transform .6s; }
.reveal.shown { opacity: 1; transform: none; }
.glow { animation: glow 4s ease-in-out infinite alternate; }
@keyframes glow { from { opacity: .1; } to { opacity: .45; } }
footer.site { background: var(--night); color: #cfcae0; padding: 30px 40px; display: flex; gap: 30px; flex-wrap: wrap; font-size: 15px; }
footer.site a { color: #f4f1e6; }
footer.site p { margin-right: auto; }
@media (max-width: 720px) {
  body { font-size: 16px; }
  header.site { flex-direction: column; align-items: flex-start; gap: 14px; padding: 16px 20px; }
  nav { margin-left: 0; }
  nav ul { flex-wrap: wrap; gap: 14px 18px; }
  .hero { height: 300px; }
  .hero .words { left: 20px; right: 20px; top: 30px; }
  h1 { font-size: 33px; }
  main { padding: 32px 20px 44px; }
  .columns, .cards { grid-template-columns: 1fr; }
  figure .scene { height: 170px; }
  th, td { padding: 9px 8px; }
  .wide { display: none; }
  footer.site { flex-direction: column; padding: 26px 20px; gap: 10px; }
}
`;
