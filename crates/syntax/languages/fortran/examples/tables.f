! Tables that older programs link with.
      SUBROUTINE TABLES(N,
     &                  OUT)
      INTEGER N
      REAL OUT(N)
      INTEGER I
      COMMON /LIMITS/ LOW, HIGH
      OUT(1) = SCALE(N)
      DO 10 I = 1, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP1(LOW)
        END IF
10    CONTINUE

      DO 20 I = 2, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP2(LOW)
        END IF
20    CONTINUE

      DO 30 I = 3, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP3(LOW)
        END IF
30    CONTINUE

      DO 40 I = 4, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP4(LOW)
        END IF
40    CONTINUE

      DO 50 I = 5, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP5(LOW)
        END IF
50    CONTINUE

      DO 60 I = 6, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP6(LOW)
        END IF
60    CONTINUE

      DO 70 I = 7, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP7(LOW)
        END IF
70    CONTINUE

      DO 80 I = 8, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP8(LOW)
        END IF
80    CONTINUE

      DO 90 I = 9, N
        LOW = LOW + I
        IF (LOW .GT. HIGH) THEN
          CALL CLIP9(LOW)
        END IF
90    CONTINUE

      RETURN
      END

      BLOCK DATA LIMITS
      COMMON /RANGE/ LOW
      DATA LOW /0/
      END
