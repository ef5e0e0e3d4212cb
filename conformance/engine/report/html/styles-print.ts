/** On paper: no controls, light colours, and no page breaks inside a unit. */
export const printStyles = `
@media print {
  :root { color-scheme: light; --paper: #fff; --sunken: #f7f7f5; }
  html { font-size: 80%; }
  .side-bar, .fold, .har, .skip { display: none !important; }
  .columns { display: block; }
  main { display: block; }
  section { margin-bottom: 2rem; }
  .page { padding: 0; max-width: none; }
  .heads { position: static; }
  .causes .what, .causes .to-do { -webkit-line-clamp: none; }
  .card, .message { break-inside: auto; }
  .card > summary, .fact, .group, .row, .band { break-inside: avoid; }
  .card > summary { break-after: avoid; }
  .message, .life { print-color-adjust: exact; }
}
`;
