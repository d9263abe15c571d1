import { spawnSync } from 'node:child_process';

/*
 * `npm run check:dependencies`: fails where a package that users get has a known vulnerability of severity high or
 * critical. Says so, and passes, where the registry answers no such questions.
 */

const say = (line) => process.stdout.write(`${line}\n`);

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });

function readReport() {
  try {
    const report = JSON.parse(stdout);
    return report.auditReportVersion === undefined ? null : report;
  } catch {
    return null;
  }
}

const report = readReport();
if (report === null) {
  say('Not checked: the registry does not tell known vulnerabilities.');
} else {
  const severe = Object.values(report.vulnerabilities).filter(({ severity }) => /^(high|critical)$/.test(severity));
  for (const { name, severity, range } of severe) say(`${name} ${range}: ${severity}`);
  say(severe.length === 0 ? 'No known vulnerability of severity high or critical' : 'See `npm audit`');
  process.exitCode = severe.length === 0 ? 0 : 1;
}
