// The script of the static PIN page: groups the digits of the number and keeps the form from being submitted.
const form = document.querySelector('form');
const number = document.querySelector('#number');

number?.addEventListener('change', () => {
  if (!(number instanceof HTMLInputElement)) return;
  number.value = number.value.replaceAll(/\D/g, '').replace(/^(.{4})(.{3})(.{2})(.*)$/, '$1 $2 $3 $4');
});

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  if (form.querySelector('[name=consent]:checked')) form.querySelector('button')?.setAttribute('disabled', '');
});
