/* Adds two numbers. */
int add(int a, int b)
{
    return a + b;
}

static int limit = 10;

int unfinished(int a)
{
    if (a > limit) {
        return add(a, ;
