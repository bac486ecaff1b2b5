// Draws requests per second over time as an SVG for the docs.

const WIDTH = 760;
const PANEL = { height: 250, top: 54, bottom: 40, left: 66, right: 16 };
const COLORS = {
  requests: '#d9480f',
  accepted: '#1971c2',
  limit: '#495057',
  outage: '#f1f3f5',
  text: '#212529',
};
const FONT = 'font-family="system-ui, sans-serif" font-size="12"';

/** Interval between two points of a line. */
const STEP_MS = 2_000;
const COUNT_INTERVAL_MS = 10;
const MINUTE_MS = 60_000;

/** Draws one panel per simulated outage. */
export function drawFleet(outages) {
  const processes = outages[0].result.processes.length.toLocaleString('en');
  const height = outages.length * PANEL.height;
  const panels = outages.map((outage, index) => drawPanel(outage, index * PANEL.height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" ${FONT} fill="${COLORS.text}">`,
    `<title>Requests per second of ${processes} processes before, during and after an outage of ten minutes</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ limitPerSecond, result: { service, outageAt, recoveredAt, stoppedAt } }, top) {
  const fromMs = outageAt - MINUTE_MS;
  const requests = ratesOf(service.requests, fromMs, stoppedAt);
  const accepted = ratesOf(service.accepted, fromMs, stoppedAt);
  const maxRate = Math.max(2.1 * limitPerSecond, ...requests.map(({ rate }) => rate));
  const bottom = top + PANEL.height - PANEL.bottom;
  const x = (ms) =>
    round(PANEL.left + ((ms - fromMs) / (stoppedAt - fromMs)) * (WIDTH - PANEL.left - PANEL.right));
  const y = (rate) => round(bottom - (rate / maxRate) * (PANEL.height - PANEL.top - PANEL.bottom));
  const line = (points) => points.map(({ atMs, rate }) => `${x(atMs)},${y(rate)}`).join(' ');
  const level = (rate, name) =>
    `<path d="M${PANEL.left} ${y(rate)}H${WIDTH - PANEL.right}" stroke="${COLORS.limit}" stroke-dasharray="5 4"/>` +
    `<text x="${PANEL.left - 6}" y="${y(rate) + 4}" text-anchor="end">${rate.toLocaleString('en')}</text>` +
    `<text x="${x(outageAt) + 8}" y="${y(rate) - 5}">${name}</text>`;
  const minutes = Array.from({ length: (stoppedAt - fromMs) / MINUTE_MS + 1 }, (_, minute) => minute);
  return [
    `<text x="${PANEL.left}" y="${top + 20}" font-weight="600">Limit of ${limitPerSecond.toLocaleString('en')} requests per second</text>`,
    legend(top + 40),
    `<rect x="${x(outageAt)}" y="${top + PANEL.top}" width="${round(x(recoveredAt) - x(outageAt))}" height="${bottom - top - PANEL.top}" fill="${COLORS.outage}"/>`,
    level(limitPerSecond, 'limit'),
    level(2 * limitPerSecond, 'twice the limit'),
    `<path d="M${PANEL.left} ${bottom}H${WIDTH - PANEL.right}" stroke="${COLORS.limit}"/>`,
    ...minutes.map(
      (minute) =>
        `<text x="${x(fromMs + minute * MINUTE_MS)}" y="${bottom + 18}" text-anchor="middle">${minute} min</text>`,
    ),
    `<polyline points="${line(requests)}" fill="none" stroke="${COLORS.requests}" stroke-width="1.5"/>`,
    `<polyline points="${line(accepted)}" fill="none" stroke="${COLORS.accepted}" stroke-width="1.5"/>`,
  ].join('\n');
}

function legend(y) {
  const entry = (x, color, text) =>
    `<path d="M${x} ${y - 4}h20" stroke="${color}" stroke-width="2"/><text x="${x + 26}" y="${y}">${text}</text>`;
  return (
    entry(PANEL.left, COLORS.requests, 'requests') +
    entry(PANEL.left + 110, COLORS.accepted, 'accepted') +
    `<rect x="${PANEL.left + 220}" y="${y - 10}" width="20" height="12" fill="${COLORS.outage}" stroke="${COLORS.limit}" stroke-width="0.5"/>` +
    `<text x="${PANEL.left + 246}" y="${y}">outage</text>`
  );
}

function ratesOf(counts, fromMs, untilMs) {
  const width = STEP_MS / COUNT_INTERVAL_MS;
  const points = [];
  for (let ms = fromMs; ms < untilMs; ms += STEP_MS) {
    const start = ms / COUNT_INTERVAL_MS;
    const total = counts.slice(start, start + width).reduce((sum, count) => sum + count, 0);
    points.push({ atMs: ms + STEP_MS / 2, rate: total / (STEP_MS / 1000) });
  }
  return points;
}

function round(number) {
  return Math.round(number * 10) / 10;
}
